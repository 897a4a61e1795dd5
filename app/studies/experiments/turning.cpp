#include "app/studies/experiments/turning.h"

#include "gpu/backend/source_image.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr double disc = 0.45;
constexpr int smallest = 16;  // samples per side

RenderRequest turned(const MethodSpec& spec, const Image& image, double degrees) {
    RenderRequest request;
    request.spec = spec;
    request.view.rotate = degrees;
    request.width = image.width();
    request.height = image.height();
    return request;
}

}  // namespace

DiscErrors disc_errors(const Image& a, const Image& b) {
    const double x0 = (a.width() - 1) / 2.0, y0 = (a.height() - 1) / 2.0;
    const double radius = disc * std::min(a.width(), a.height());
    DiscErrors errors;
    size_t count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            if (std::hypot(x - x0, y - y0) > radius) continue;
            for (int c = 0; c < a.channels(); ++c, ++count) {
                const double e = 255 * (double(a.value(x, y, c)) - double(b.value(x, y, c)));
                errors.rms += e * e;
                errors.largest = std::max(errors.largest, std::abs(e));
            }
        }
    errors.rms = std::sqrt(errors.rms / double(std::max<size_t>(count, 1)));
    return errors;
}

Turning::Turning(std::shared_ptr<Backend> backend, const Image& image, const MethodSpec& spec, double degrees)
    : backend_(std::move(backend)), request_(turned(spec, image, degrees)), image_(image) {}

const Image& Turning::turn() {
    image_ = SourceImage(backend_, image_).render_to_image(request_);
    return image_;
}

TurnedOriginal::TurnedOriginal(std::shared_ptr<Backend> backend, const Image& original, double degrees)
    : original_(original), source_(std::move(backend), original_), degrees_(degrees) {}

Image TurnedOriginal::after(int turns) {
    const double angle = degrees_ * turns;
    if (std::abs(std::remainder(angle, 360)) < 1e-9) return original_;
    MethodSpec spec = turning_defaults();
    spec.method = &parse_method("quintic");
    Image image(original_.width(), original_.height(), original_.channels(), SampleType::f32, original_.alpha());
    const size_t values = size_t(image.width()) * size_t(image.height()) * size_t(image.channels());
    Backend& backend = source_.backend();
    const std::shared_ptr<void> memory = backend.allocate(values * sizeof(double));
    source_.render_reference(turned(spec, image, angle), static_cast<double*>(memory.get()));
    std::vector<double> read(values);
    backend.read_back(read.data(), memory.get(), values * sizeof(double));
    std::copy(read.begin(), read.end(), image.row_as<float>(0));
    return image;
}

Image image_to_turn(const ExperimentOptions& options) {
    const Image image = options.image("image");
    if (image.width() < smallest || image.height() < smallest)
        throw Error(fmt::format("{}: {} is too small to be rotated; use an image of at least {}×{} samples",
                                options.text("image"), describe(image), smallest, smallest));
    return converted(premultiplied(image), SampleType::f32);
}

MethodSpec turning_defaults() {
    MethodSpec spec = default_spec(parse_method("bspline"));
    spec.address = {AddressMode::mirror, AddressMode::mirror};
    return spec;
}

}  // namespace texelscope
