#include "app/files/test_images/fft.h"

#include <utility>

#include "app/files/test_images/raster.h"

namespace texelscope {

Fft::Fft(int log2_size) : size_(size_t(1) << log2_size), roots_(size_ / 2) {
    for (size_t k = 0; k < roots_.size(); ++k) {
        const double turns = double(k) / double(size_);
        roots_[k] = {cos_turns(turns), -sin_turns(turns)};
    }
}

void Fft::forward(std::complex<double>* values) const {
    for (size_t i = 1, reversed = 0; i < size_; ++i) {
        size_t bit = size_ >> 1;
        for (; reversed & bit; bit >>= 1) reversed ^= bit;
        reversed ^= bit;
        if (i < reversed) std::swap(values[i], values[reversed]);
    }
    for (size_t half = 1; half < size_; half *= 2) {
        const size_t stride = size_ / (2 * half);
        for (size_t block = 0; block < size_; block += 2 * half)
            for (size_t k = 0; k < half; ++k) {
                std::complex<double>&a = values[block + k], &b = values[block + k + half];
                const std::complex<double> w = roots_[k * stride];
                // Written out: operator* of std::complex looks for NaN and is several times slower.
                const std::complex<double> wb{w.real() * b.real() - w.imag() * b.imag(),
                                              w.real() * b.imag() + w.imag() * b.real()};
                b = a - wb;
                a += wb;
            }
    }
}

}  // namespace texelscope
