#pragma once
// The discrete Fourier transform of any length in float64. Internal to this folder.

#include <complex>
#include <memory>
#include <vector>

#include "gpu/core/image.h"

template <typename scalar> class kissfft;

namespace texelscope {

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

// The ideal reduction of a picture: what a lens without any detail beyond the small picture's Nyquist frequency would have
// let through.

// Whether every sample is: one that is not spoils the whole spectrum.
bool all_finite(const Image& picture);

// The picture (f32) at a size that is not larger, outer edges aligned: its spectrum, cut off at the small picture's
// Nyquist frequency along each axis and evaluated at the small picture's samples, all in float64. The picture is continued
// by its mirror image (half-sample symmetric), which has no seam. Values beyond the picture's range are kept. Throws Error
// unless all samples are finite, OutOfMemory.
Image band_limited(const Image& picture, Extent size);

}  // namespace texelscope
