#include "gpu/backend/source_state.h"

#include "gpu/backend/arguments.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

// A caller still holds it, so it is in use: the budget does not touch it.
void SourceImage::State::keep(std::list<Made>::iterator at) {
    at->kept = backend->memory().keep(at->image->size_bytes(), [this, at] {
        if (at->image.use_count() == 1) made.erase(at);
    });
}

std::shared_ptr<const ResidentImage> SourceImage::State::once(
    SourceKey key, const std::function<std::shared_ptr<const ResidentImage>()>& make) {
    for (Made& each : made)
        if (each.key == key) {
            each.kept.use();
            return each.image;
        }
    std::shared_ptr<const ResidentImage> image = make();
    made.push_front({.key = std::move(key), .image = image, .kept = {}});
    keep(made.begin());
    return image;
}

// What lies beyond the image's borders, if not zero.
BorderPixel SourceImage::State::border_of(const AddressPair& address) const {
    const bool acts =
        address.x == AddressMode::border || (address.y == AddressMode::border && !samples->one_dimensional());
    if (!acts) return {};
    return border_pixel(address.border, samples->channels(), samples->alpha() != Alpha::none, light == Light::linear);
}

// Without a border value that changes nothing.
MethodSpec SourceImage::State::acting(const MethodSpec& spec) const {
    MethodSpec result = spec;
    if (border_of(spec.address).is_zero()) result.address.border = {};
    return result;
}

namespace {

// An image minus a border value is the same for all modes.
SourceKey base_key(const AddressPair& address) {
    return level_key({}, {AddressMode::border, AddressMode::border, address.border});
}

}  // namespace

// The samples, minus the value beyond the borders.
std::shared_ptr<const ResidentImage> SourceImage::State::base(const AddressPair& address) {
    demand_all();
    if (address.border == BorderValue{}) return samples;
    return once(base_key(address), [&] { return backend->minus(*samples, border_of(address)); });
}

// A source of source_of(), with the value beyond the borders added.
void SourceImage::State::resample(const ResidentImage& source, const Resampling& resampling, const RenderTarget& target,
                                  const BorderSum::Compute& compute) {
    border_sum.render(*backend, source, resampling, border_of(resampling.spec.address), target, compute);
}

// To texels that are read from a source.
void SourceImage::State::add_border(const Resampling& resampling, std::vector<float>& texels) {
    const BorderPixel border = border_of(resampling.spec.address);
    if (border.is_zero()) return;
    Resampling texel;  // of the ones: coefficients are those of a constant
    texel.spec = default_spec(parse_method("nearest"));
    float sum = 1;
    const auto memory = output.at_least(*backend, sizeof sum);
    const auto ones = border_sum.ones(*backend, resampling, samples->one_dimensional());
    backend->resample(*ones, texel, {memory.get(), sizeof sum, RenderTarget::Format::floats, no_timer});
    backend->read_back(&sum, memory.get(), sizeof sum);
    const size_t channels = size_t(samples->channels());
    for (size_t k = 0; k < texels.size(); ++k) texels[k] += sum * border.v[k % channels];
}

// Each level from the one before.
std::shared_ptr<const ResidentImage> SourceImage::State::reduced(Level level, const AddressPair& address) {
    if (level == Level{}) return base(address);
    return once(level_key(level, address), [&] {
        const Level finer = before(level);
        return backend->reduce(*reduced(finer, address), address_on(finer, address), last_step_to(level));
    });
}

// How many samples would be read to make the level.
double SourceImage::State::unreduced(Level level, const AddressPair& address) const {
    if (level == Level{} && address.border == BorderValue{}) return 0;
    if (has(level == Level{} ? base_key(address) : level_key(level, address))) return 0;
    if (level == Level{}) return samples_of(level, *samples);
    return samples_of(before(level), *samples) + unreduced(before(level), address);
}

std::shared_ptr<const ResidentImage> SourceImage::State::source_of(const Resampling& resampling) {
    const MethodSpec& spec = resampling.spec;
    const ReadPlan& reading = resampling.reading;
    demand_all();
    if (kernel_of(*spec.method)) return samples;  // it reads what is beyond a border itself
    return reading.prefiltered ? prepared(reading.level, spec) : reduced(reading.level, spec.address);
}

// The level's samples, or their coefficients if the spec has a prefilter.
std::shared_ptr<const ResidentImage> SourceImage::State::prepared(Level level, const MethodSpec& spec) {
    demand_all();
    check_spec(spec);
    if (spec.effective_prefilter().kind == Prefilter::Kind::none) return reduced(level, spec.address);
    return once(coefficients_key(level, spec), [&] {
        ++prefilterings;
        MethodSpec on_level = spec;
        on_level.address = address_on(level, spec.address);
        return backend->prefilter(*reduced(level, spec.address), on_level);
    });
}

// Empty without a warp. On the level that is read.
SourceImage::State::WarpedPoints SourceImage::State::warped_points(const Warp& warp, const Resampling& resampling) {
    const int width = resampling.width, height = resampling.height;
    if (warp.kind == Warp::Kind::none || width <= 0 || height <= 0) return {};
    const size_t count = size_t(width) * size_t(height);
    WarpedPoints warped{points.at_least(*backend, count * 2 * sizeof(double)), {}};
    auto* pairs = static_cast<double*>(warped.memory.get());
    backend->write_warped_points({warp, resampling.reading.positions, samples->width(), samples->height(),
                                  resampling.reading.level_x, resampling.reading.level_y, width, height},
                                 pairs);
    warped.view = PointsView::pairs(pairs, count);
    return warped;
}

}  // namespace texelscope
