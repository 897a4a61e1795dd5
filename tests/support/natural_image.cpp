#include "tests/support/natural_image.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "tests/support/images.h"

namespace texelscope::test {

using namespace texelscope;

namespace {

using Complex = std::complex<double>;

// In place, n a power of two, elements `stride` apart.
void fourier(Complex* v, int n, int stride) {
    for (int i = 1, j = 0; i < n; ++i) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(v[i * stride], v[j * stride]);
    }
    for (int length = 2; length <= n; length *= 2) {
        const Complex step = std::polar(1.0, 2 * std::numbers::pi / length);
        for (int start = 0; start < n; start += length) {
            Complex turn = 1;
            for (int k = 0; k < length / 2; ++k, turn *= step) {
                Complex& a = v[(start + k) * stride];
                Complex& b = v[(start + k + length / 2) * stride];
                const Complex odd = turn * b;
                b = a - odd;
                a += odd;
            }
        }
    }
}

}  // namespace

Image one_over_f(int size, uint64_t seed) {
    constexpr double end = 0.435;  // cycles per sample
    Random random(seed);
    std::vector<Complex> spectrum(size_t(size) * size_t(size));
    const auto frequency = [&](int k) { return double(k < size / 2 ? k : k - size); };
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const double f = std::hypot(frequency(x), frequency(y));
            if (f > 0 && f < end * size)
                spectrum[size_t(y) * size_t(size) + size_t(x)] =
                    std::polar(1 / f, 2 * std::numbers::pi * random.unit());
        }
    for (int y = 0; y < size; ++y) fourier(&spectrum[size_t(y) * size_t(size)], size, 1);
    for (int x = 0; x < size; ++x) fourier(&spectrum[size_t(x)], size, size);
    double low = 1e300, high = -1e300;
    for (const Complex& v : spectrum) low = std::min(low, v.real()), high = std::max(high, v.real());
    Image image(size, size, 1, SampleType::f32);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            image.row_as<float>(y)[x] =
                float((spectrum[size_t(y) * size_t(size) + size_t(x)].real() - low) / (high - low));
    return image;
}

}  // namespace texelscope::test
