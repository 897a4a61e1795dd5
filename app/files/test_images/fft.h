#pragma once
// A plain radix-2 Fourier transform in double precision, enough to shape noise. Internal to this folder.

#include <complex>
#include <vector>

namespace texelscope {

class Fft {
public:
    explicit Fft(int log2_size);
    size_t size() const { return size_; }

    // In place over size() values, X(k) = Σ x(n) e^{−2πi kn/size}, unscaled. The inverse, up to scale, is the
    // transform of the conjugate, conjugated.
    void forward(std::complex<double>* values) const;

private:
    size_t size_;
    std::vector<std::complex<double>> roots_;  // e^{−2πi k/size}, k < size / 2
};

}  // namespace texelscope
