#include "tests/support/images.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/core/half.h"

namespace texelscope::test {

using namespace texelscope;

void set_value(Image& image, int x, int y, int channel, double value) {
    const size_t index = size_t(x) * image.channels() + channel;
    switch (image.type()) {
        case SampleType::u8: image.row_as<uint8_t>(y)[index] = uint8_t(std::lround(value * 255)); break;
        case SampleType::u16: image.row_as<uint16_t>(y)[index] = uint16_t(std::lround(value * 65535)); break;
        case SampleType::f16: image.row_as<uint16_t>(y)[index] = float_to_half(float(value)); break;
        case SampleType::f32: image.row_as<float>(y)[index] = float(value); break;
        default:
            convert_samples(reinterpret_cast<const std::byte*>(&value), 1, SampleType::f64,
                            image.row(y) + index * size_t(bytes_per_sample(image.type())), image.type());
    }
}

Image noise(int width, int height, int channels, SampleType type, uint64_t seed, Alpha alpha) {
    Random random(seed);
    Image image(width, height, channels, type, alpha);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) set_value(image, x, y, c, random.unit());
    return image;
}

Image binary_noise(int width, int height, uint64_t seed) {
    Random random(seed);
    Image image(width, height, 1, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.row_as<float>(y)[x] = random.chance(0.5) ? 1.0f : 0.0f;
    return image;
}

Image signal(int samples, const std::function<double(int)>& value) {
    Image image(samples, 1, 1, SampleType::f32);
    for (int k = 0; k < samples; ++k) image.row_as<float>(0)[k] = float(value(k));
    image.set_one_dimensional(true);
    return image;
}

std::vector<float> sampled(SourceImage& source, const MethodSpec& spec, const std::vector<double>& points,
                           Derivative derivative) {
    const SampleRequest request{.spec = spec, .outside = Outside::extend, .derivative = derivative};
    return source.sample_to_host(request,
                                 PointsView::arrays(points.data(), static_cast<const double*>(nullptr), points.size()));
}

Image random_image(Random& random) {
    int width = random.integer(1, 70), height = random.integer(1, 70);
    switch (random.integer(0, 7)) {
        case 0: width = height = 1; break;
        case 1: width = 1; break;
        case 2: height = 1; break;
        case 3: width = height = 2; break;
        case 4: width = 61, height = 47; break;
        default: break;
    }
    constexpr SampleType types[] = {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32};
    const int channels = random.integer(1, 4);
    const bool alpha = channels % 2 == 0 && random.chance(0.25);
    return noise(width, height, channels, types[random.integer(0, 3)], uint64_t(random.integer(0, 1 << 30)),
                 alpha ? Alpha::straight : Alpha::none);
}

View random_view(Random& random, int width, int height) {
    View view;
    view.scale = random.chance(0.1) ? 1.0 : std::exp(random.between(std::log(0.01), std::log(50.0)));
    switch (random.integer(0, 3)) {
        case 0: view.rotate = 0; break;
        case 1: view.rotate = 90.0 * random.integer(-4, 4); break;
        default: view.rotate = random.between(-720, 720); break;
    }
    switch (random.integer(0, 3)) {
        case 0: break;  // the centre
        case 1:         // somewhere inside or near a border
            view.translate_x = random.between(-0.6, 0.6) * width;
            view.translate_y = random.between(-0.6, 0.6) * height;
            break;
        case 2:  // around a corner
            view.translate_x = (random.chance(0.5) ? 0.5 : -0.5) * width + random.between(-20, 20);
            view.translate_y = (random.chance(0.5) ? 0.5 : -0.5) * height + random.between(-20, 20);
            break;
        case 3:  // far outside
            view.translate_x = random.between(-20000, 20000);
            view.translate_y = random.between(-20000, 20000);
            break;
    }
    return view;
}

RenderRequest request_of(const MethodSpec& spec, int width, int height) {
    RenderRequest request;
    request.spec = spec;
    request.width = width;
    request.height = height;
    return request;
}

RenderRequest beyond_borders(const MethodSpec& spec, int width, int height, int margin) {
    return request_of(spec, width + 2 * margin, height + 2 * margin);
}

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
