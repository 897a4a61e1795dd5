#pragma once
// The discrete Fourier transform of any length in float64.

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

template <typename scalar> class kissfft;

namespace texelscope {

// The largest length of at most n ≥ 1 that has no prime factor above 5: those are transformed fastest.
size_t quick_length_within(size_t n);

// O(n log n) for every n: lengths with a large prime factor are transformed as a convolution (Bluestein 1970). Not to be
// used from two threads at the same time.
class Fourier {
public:
    explicit Fourier(size_t length);
    ~Fourier();
    Fourier(Fourier&&) noexcept;

    // In place: X(k) = Σ x(n) e^{−2πi kn/length}; with +2πi: backward. Both unscaled.
    void forward(std::vector<std::complex<double>>& values);
    void backward(std::vector<std::complex<double>>& values);

private:
    void transform(std::vector<std::complex<double>>& values);

    size_t length_;
    std::unique_ptr<kissfft<double>> fft_;  // of the length, or of the convolution
    // For the convolution, otherwise empty: e^{−πi n²/length}, and the transform of its conjugate.
    std::vector<std::complex<double>> chirp_, response_;
    std::vector<std::complex<double>> before_, after_;
};

}  // namespace texelscope
