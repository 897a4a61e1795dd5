#include "gpu/backend/source_image.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/backend/least_squares.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/image.h"
#include "gpu/core/machine.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/mip.h"

namespace texelscope {

bool read_the_same(const Resampling& a, const Resampling& b) { return key_of(a) == key_of(b); }

PlannedRequest SourceImage::plan(const RenderRequest& request) const {
    return planned(request, state_->shape(), state_->light, state_->border_of(request.spec.address), !state_->regions);
}

RenderRequest resize_request(const ResidentImage& samples, const MethodSpec& spec, int width, int height, Align align,
                             bool antialias) {
    return resize_request(Extent{samples.width(), samples.height()}, spec, width, height, align, antialias);
}

namespace {

// `count` numbers in host memory; if many, checked beforehand: see machine.h. Throws OutOfMemory.
template <class Number> std::vector<Number> numbers(double count) {
    const double bytes = count * sizeof(Number);
    try {
        if (bytes < 0x1p24 || bytes <= double(available_host_memory())) return std::vector<Number>(size_t(count));
    } catch (const std::bad_alloc&) {}
    throw OutOfMemory(fmt::format("no memory for {:.0f} values", count));
}

}  // namespace

std::shared_ptr<const ResidentImage> SourceImage::prepared_for(const MethodSpec& spec) {
    check_spec(spec);
    Resampling whole;
    whole.spec = spec;
    return state_->image_of({}, state_->acting(whole).spec);
}

bool SourceImage::prepare(const PlannedRequest& planned) {
    if (state_->regions || state_->folding(planned)) return false;
    const size_t before = state_->prefilterings;
    state_->image_of(planned);
    return state_->prefilterings != before;
}

double SourceImage::unprepared(const PlannedRequest& planned, bool float64) const {
    if (state_->regions || state_->folding(planned) || kernel_of(*planned.spec.method)) return 0;
    const Level level = planned.reading.level;
    if (float64 && level == Level{}) return 0;  // reads the samples themselves
    const AddressPair& address = planned.spec.address;
    const SourceKey key = float64 ? level_key(level, address) : key_of(planned);
    if (key == level_key(level, address)) return state_->unreduced(level, address);
    return state_->has(key) ? 0 : samples_of(level, samples()) + state_->unreduced(level, address);
}

// Custom kernels get the samples, without a border: they handle positions beyond the edges themselves.
std::shared_ptr<const ResidentImage> SourceImage::State::image_of(const Resampling& request) {
    demand_all();
    if (kernel_of(*request.spec.method)) return samples;
    return image_of(request.reading.level, request.spec, request.reading.prefiltered);
}

// Each level is made from the one before; the first is the samples, minus the value beyond their borders.
std::shared_ptr<const ResidentImage> SourceImage::State::image_of(Level level, const MethodSpec& spec, bool filtered) {
    demand_all();
    const AddressPair& address = spec.address;
    const bool first = level == Level{}, filters = filtered && spec.filters();
    if (first && !filters && address.border == BorderValue{}) return samples;
    const SourceKey key = filters ? coefficients_key(level, spec)
                          : first ? base_key(address)
                                  : level_key(level, address);
    for (Made& each : made)
        if (each.key == key) {
            each.kept.use();
            return each.image;
        }
    if (filters) {
        ++prefilterings;
        MethodSpec on_level = spec;
        on_level.address = address_on(level, address);
        return keep(key, backend->prefilter(*image_of(level, spec, false), on_level));
    }
    if (first) return keep(key, backend->minus(*samples, border_of(address)));
    const Level finer = before(level);
    return keep(key, backend->reduce(*image_of(finer, spec, false), address_on(finer, address), last_step_to(level)));
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

void SourceImage::State::render_by_levels(const Resampling& resampling, const RenderTarget& target) {
    auto* const reader = dynamic_cast<LevelReader*>(backend.get());
    if (!reader) throw Error("this backend cannot read mip levels");
    demand_all();
    const AddressPair& address = resampling.spec.address;
    std::vector<LevelReader::LevelImage> levels;
    for (Level level; levels.size() < size_t(most_mip_levels);) {
        ReadPlan reading;
        reading.level = level;
        reading.level_x = LevelAxis(address.x, samples->width(), halved(samples->width(), level.x));
        reading.level_y = LevelAxis(address.y, samples->height(), halved(samples->height(), level.y));
        levels.push_back({image_of(level, resampling.spec, false), reading});
        const bool wide = halved(samples->width(), level.x) > 1, tall = halved(samples->height(), level.y) > 1;
        if (!wide && !tall) break;
        level = {level.x + (wide ? 1 : 0), level.y + (tall ? 1 : 0)};
    }
    reader->resample_levels(levels, resampling, target);
}

bool SourceImage::render(const PlannedRequest& planned, const RenderTarget& target, ToCome to_come) {
    if (planned.by_levels && state_->regions)
        throw Error("mip levels need an image that is held in memory: choose antialiasing instead");
    if (state_->regions)
        return to_come == ToCome::stand_in ? state_->regions->render_at_hand(planned, target)
                                           : state_->regions->render(planned, target);
    Resampling resampling = planned;
    const State::WarpedPoints points = state_->warped_points(planned.warp, resampling);
    resampling.points = points.view;
    if (planned.by_rules) {
        render_recipe(*this, state_->stored, resampling, target);
        return true;
    }
    if (planned.by_levels) {
        state_->render_by_levels(resampling, target);
        return true;
    }
    if (planned.by_own_samples) {
        render_by_own_samples(*this, resampling, target);
        return true;
    }
    if (Folding* const folding = state_->folding(planned)) {
        folding->resample_folded(*state_->samples, resampling, target);
        return true;
    }
    const auto source = state_->image_of(resampling);
    if (resampling.border.is_zero()) state_->backend->resample(*source, resampling, target);
    else state_->border_sum.render(*state_->backend, *source, resampling, target);
    return true;
}

void SourceImage::resample(const Resampling& request, const RenderTarget& target) {
    const Resampling resampling = state_->acting(request);
    state_->border_sum.render(*state_->backend, *prepared_for(resampling.spec), resampling, target);
}

void SourceImage::render_samples(const Resampling& resampling, const RenderTarget& target, const Compute& compute) {
    state_->border_sum.render(*state_->backend, *state_->image_of({}, resampling.spec, false), resampling, target,
                              compute);
}

bool SourceImage::render_reference(const RenderRequest& request, double* values, ToCome to_come) {
    const PlannedRequest planned = plan(request);
    if (state_->regions) return state_->regions->render_reference(planned, values, to_come == ToCome::stand_in);
    if (planned.by_levels) {  // exact but for float32 rounding
        const Image image = render_to_image(request);
        const size_t count = size_t(image.width()) * size_t(image.height()) * size_t(image.channels());
        const std::vector<double> exact(image.row_as<float>(0), image.row_as<float>(0) + count);
        state_->backend->write(values, exact.data(), count * sizeof(double));
        return true;
    }
    Resampling resampling = planned;
    const State::WarpedPoints points = state_->warped_points(planned.warp, resampling);
    resampling.points = points.view;
    if (planned.by_rules) {
        render_recipe_reference(*this, state_->stored, resampling, values);
        return true;
    }
    const bool of_level = key_of(resampling) == level_key({1, 1}, resampling.spec.address);
    if (Folding* const folding = of_level ? state_->folding(planned) : nullptr) {
        folding->resample_reference_by_strips(*state_->samples, resampling, values);
        return true;
    }
    resampling.minus_border = resampling.reading.level != Level{};
    const auto level =
        resampling.minus_border ? state_->image_of(resampling.reading.level, resampling.spec, false) : state_->samples;
    state_->backend->resample_reference(*level, resampling, values);
    return true;
}

std::pair<float, float> SourceImage::extremes() {
    if (state_->extremes) return *state_->extremes;
    const int width = samples().width(), height = samples().height(), together = 256;
    const RenderRequest plain =
        resize_request(samples(), default_spec(parse_method("nearest")), width, height, Align::centers, false);
    float least = INFINITY, largest = -INFINITY;
    for (int row = 0; row < height; row += together) {
        const std::vector<float> values = texels(plain, 0, row, width, std::min(together, height - row));
        if (values.empty()) throw Error("the least and the largest sample have still to come");
        for (const float value : values) {
            if (value < least) least = value;
            if (value > largest) largest = value;
        }
    }
    return state_->extremes.emplace(least, largest);
}

std::vector<float> SourceImage::texels(const RenderRequest& request, int x, int y, int width, int height) {
    check_output_size(width, height);  // before memory is allocated for them
    const PlannedRequest planned = plan(request);
    const MethodSpec& spec = planned.spec;
    if (state_->regions) {
        std::vector<float> values;
        return state_->regions->texels(planned, {x, y, width, height}, values) ? values : std::vector<float>();
    }
    const auto source = kernel_of(*spec.method) ? state_->image_of({}, spec, false) : state_->image_of(planned);
    Resampling whole;  // nearest reads exactly the texel at whole positions
    whole.spec = default_spec(parse_method("nearest"));
    whole.spec.address = planned.address();
    whole.width = width;
    whole.height = height;
    whole.reading.positions = {1, 0, double(x), 0, 1, double(y)};
    const size_t row = size_t(width) * size_t(samples().channels());
    std::vector<float> values = numbers<float>(double(row) * height);
    Backend& backend = *state_->backend;
    const auto output = state_->output.at_least(backend, std::max<size_t>(values.size(), 1) * sizeof(float));
    backend.resample(*source, whole, {output.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer});
    backend.read_back(values.data(), output.get(), values.size() * sizeof(float));
    state_->add_border(planned, values);
    return values;
}

namespace {

// Renders into memory of the backend and copies it into the image's rows. False if samples have still to come.
bool render_into(SourceImage& source, const RenderRequest& request, RenderTarget target, Scratch& output,
                 Image& image) {
    Backend& backend = source.backend();
    const auto memory = output.at_least(backend, image.size_bytes());
    target.pixels = memory.get();
    target.row_bytes = image.row_bytes();
    if (!source.render(request, target)) return false;
    backend.read_back(image.data(), target.pixels, image.size_bytes());
    return true;
}

}  // namespace

std::optional<Image> SourceImage::image_at_hand(const RenderRequest& request) {
    Image image(request.width, request.height, samples().channels(), SampleType::f32, samples().alpha());
    if (!render_into(*this, request, {.format = RenderTarget::Format::floats}, state_->output, image)) return {};
    return image;
}

Image SourceImage::render_to_image(const RenderRequest& request) {
    std::optional<Image> image = image_at_hand(request);
    if (!image) throw Error(samples_to_come);
    return std::move(*image);
}

Image SourceImage::render_to_rgba8(const RenderRequest& request) {
    Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
    if (!render_into(*this, request, {.format = RenderTarget::Format::rgba8}, state_->output, image))
        throw Error(samples_to_come);
    return image;
}

void SourceImage::sample(const SampleRequest& request, const PointsView& points, float* values, size_t image_bytes) {
    check_spec(request.spec);
    if (points.count == 0) return;
    Backend& backend = *state_->backend;
    check_points(backend, points, samples(), points.count);
    backend.check_memory(values, "the values");
    check_derivative(request.derivative, *request.spec.method, samples().one_dimensional());
    const Resampling acting = state_->acting(Resampling(request));
    const bool by_rules = is_by_rules(request, state_->shape());
    const auto source = by_rules ? state_->samples : state_->image_of(acting);
    const size_t channels = size_t(samples().channels()), width = 1 << 12;  // points per row; threads share rows
    for (size_t first = 0; first < points.count;) {
        const size_t rest = points.count - first, rows = std::max<size_t>(1, std::min<size_t>(rest / width, 1 << 16));
        Resampling resampling = acting;
        resampling.width = int(std::min(rest, width));
        resampling.height = int(rows);
        resampling.encode_srgb = state_->light == Light::linear && request.derivative == Derivative::none;
        resampling.points = points.from(first);
        const size_t row_bytes = size_t(resampling.width) * channels * sizeof(float);
        const RenderTarget target{values + first * channels, row_bytes, RenderTarget::Format::floats, no_timer,
                                  image_bytes};
        if (by_rules) render_recipe(*this, state_->stored, resampling, target);
        else state_->border_sum.render(backend, *source, resampling, target);
        first += size_t(resampling.width) * rows;
    }
}

std::vector<float> SourceImage::sample_to_host(const SampleRequest& request, const PointsView& points) {
    Backend& backend = *state_->backend;
    const size_t channels = size_t(samples().channels());
    check_spec(request.spec);
    check_host_points(backend, points, samples());
    auto pairs = numbers<double>(2.0 * double(points.count));
    auto values = numbers<float>(double(points.count) * double(channels));
    for (size_t k = 0; k < points.count; ++k) {
        const Point p = points.at(k);
        pairs[2 * k] = p.x;
        pairs[2 * k + 1] = p.y;
    }
    if (values.empty()) return values;
    const auto device_pairs = state_->points.at_least(backend, pairs.size() * sizeof(double));
    const auto device_values = state_->output.at_least(backend, values.size() * sizeof(float));
    backend.write(device_pairs.get(), pairs.data(), pairs.size() * sizeof(double));
    sample(request, PointsView::pairs(static_cast<double*>(device_pairs.get()), points.count),
           static_cast<float*>(device_values.get()));
    backend.read_back(values.data(), device_values.get(), values.size() * sizeof(float));
    return values;
}

std::array<float, 4> SourceImage::value_at(const MethodSpec& spec, Point point) {
    RenderRequest request;
    request.spec = spec;
    request.positions = Affine{1, 0, point.x, 0, 1, point.y};
    Image pixel(1, 1, samples().channels(), SampleType::f32);
    if (!render_into(*this, request, {.format = RenderTarget::Format::floats, .timer = no_timer}, state_->output,
                     pixel))
        throw Error(samples_to_come);
    std::array<float, 4> value{};
    for (int c = 0; c < pixel.channels(); ++c) value[size_t(c)] = pixel.value(0, 0, c);
    return value;
}

}  // namespace texelscope
