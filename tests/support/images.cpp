#include "tests/support/images.h"

#include <cmath>

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

}  // namespace texelscope::test
