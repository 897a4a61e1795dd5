#include "gpu/backend/source_image.h"

#include <algorithm>
#include <list>
#include <utility>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/backend/border_sum.h"
#include "gpu/backend/folding.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/sample_windows.h"
#include "gpu/backend/scratch.h"
#include "gpu/backend/source_key.h"
#include "gpu/core/available_memory.h"
#include "gpu/core/colour_profile.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

bool read_the_same(const PlannedRequest& a, const PlannedRequest& b) {
    return key_of(a.resampling) == key_of(b.resampling);
}

struct SourceImage::State {
    explicit State(std::shared_ptr<Backend> on, Light of = Light::stored) : backend(std::move(on)), light(of) {
        if (!backend) throw Error("a source image needs a backend: make one with make_backend()");
    }

    struct Made {
        SourceKey key;
        std::shared_ptr<const ResidentImage> image;
        MemoryBudget::Kept kept;
        bool shared = false;  // made by another backend, which goes on using it
    };

    std::shared_ptr<Backend> backend;
    std::shared_ptr<const ResidentImage> samples;
    std::shared_ptr<SampleWindows> windows;  // instead of samples; those are the shape alone
    Light light = Light::stored;
    std::list<Made> made;      // each until the backend's memory is needed for something else
    size_t prefilterings = 0;  // so far
    Scratch output, points;
    BorderSum border_sum;

    BorderPixel border_of(const AddressPair& address) const;
    MethodSpec acting(const MethodSpec& spec) const;
    std::shared_ptr<const ResidentImage> base(const AddressPair& address);
    void resample(const ResidentImage& source, const Resampling& resampling, const RenderTarget& target);
    void with_border(const ResidentImage& source, const Resampling& resampling, const RenderTarget& target,
                     const BorderSum::Compute& compute);
    void add_border(const Resampling& resampling, std::vector<float>& texels);

    bool has(const SourceKey& key) const {
        return std::any_of(made.begin(), made.end(), [&](const Made& each) { return each.key == key; });
    }
    void keep(std::list<Made>::iterator at);
    template <class Make> std::shared_ptr<const ResidentImage> once(SourceKey key, Make make);
    std::shared_ptr<const ResidentImage> reduced(Level level, const AddressPair& address);
    std::shared_ptr<const ResidentImage> prepared(Level level, const MethodSpec& spec);
    std::shared_ptr<const ResidentImage> source_of(const Resampling& resampling);
    double unreduced(Level level, const AddressPair& address) const;

    // For what has no windows. Throws Error if the image is not in memory.
    void demand_all() const {
        if (windows) throw Error("it needs the whole image in memory, and this one is too large for that");
    }

    // The backend if it reads the samples themselves for this; otherwise null.
    Folding* folding(const PlannedRequest& planned) const {
        if (windows) return nullptr;
        if (planned.resampling.spec.address.border != BorderValue{}) return nullptr;
        auto* const can = dynamic_cast<Folding*>(backend.get());
        const bool folds = can && planned.warp.kind == Warp::Kind::none && can->folds(*samples, planned.resampling);
        return folds ? can : nullptr;
    }

    // The points of a warp, and the memory that holds them.
    struct WarpedPoints {
        std::shared_ptr<void> memory;
        PointsView view;
    };
    WarpedPoints warped_points(const Warp& warp, const Resampling& resampling);
};

// A caller still holds it, so it is in use: the budget does not touch it.
void SourceImage::State::keep(std::list<Made>::iterator at) {
    at->kept = backend->memory().keep(at->image->size_bytes(), [this, at] {
        if (at->image.use_count() == 1) made.erase(at);
    });
}

template <class Make> std::shared_ptr<const ResidentImage> SourceImage::State::once(SourceKey key, Make make) {
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
void SourceImage::State::with_border(const ResidentImage& source, const Resampling& resampling,
                                     const RenderTarget& target, const BorderSum::Compute& compute) {
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

void SourceImage::State::resample(const ResidentImage& source, const Resampling& resampling,
                                  const RenderTarget& target) {
    with_border(source, resampling, target,
                [this](const ResidentImage& image, const Resampling& what, const RenderTarget& to) {
                    backend->resample(image, what, to);
                });
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

namespace {

void check(const RenderRequest& request, bool one_dimensional) {
    check_spec(request.spec);
    check_derivative(request.derivative, *request.spec.method, one_dimensional);
    if (request.antialias && request.derivative != Derivative::none)
        throw Error("a derivative is that of the interpolation itself: switch antialiasing off");
    if (request.warp.kind != Warp::Kind::none && one_dimensional)
        throw Error("a one-dimensional signal has no plane to warp");
}

}  // namespace

PlannedRequest planned(const RenderRequest& request, const ImageShape& image, Light light) {
    check(request, image.one_dimensional);
    Resampling resampling(request);
    resampling.reading = plan_reading(request, image);
    resampling.width = request.width;
    resampling.height = request.height;
    const bool value = request.derivative == Derivative::none;  // a derivative is not a level to be coded
    resampling.encode_srgb = light == Light::linear && value;
    resampling.simple = request.simple;
    return {resampling, request.warp};
}

PlannedRequest SourceImage::plan(const RenderRequest& request) const {
    const ResidentImage& image = samples();
    RenderRequest acting = request;
    acting.spec = state_->acting(request.spec);
    return planned(acting, {image.width(), image.height(), image.one_dimensional()}, state_->light);
}

std::shared_ptr<const ResidentImage> SourceImage::State::source_of(const Resampling& resampling) {
    const MethodSpec& spec = resampling.spec;
    const ReadPlan& reading = resampling.reading;
    demand_all();
    if (kernel_of(*spec.method)) return samples;  // it reads what is beyond a border itself
    return reading.prefiltered ? prepared(reading.level, spec) : reduced(reading.level, spec.address);
}

RenderRequest resize_request(const ResidentImage& samples, const MethodSpec& spec, int width, int height, Align align,
                             bool antialias) {
    RenderRequest request;
    request.spec = spec;
    request.width = width;
    request.height = height;
    request.antialias = antialias;
    request.positions = aligned_affine(align, samples.width(), samples.height(), width, height);
    return request;
}

namespace {

// `count` numbers in host memory; if many, checked beforehand: see available_memory.h. Throws OutOfMemory.
template <class Number> std::vector<Number> numbers(double count) {
    const double bytes = count * sizeof(Number);
    try {
        if (bytes < 0x1p24 || bytes <= double(available_host_memory())) return std::vector<Number>(size_t(count));
    } catch (const std::bad_alloc&) {}
    throw OutOfMemory(fmt::format("no memory for {:.0f} values", count));
}

// What is linear light already needs no decoding.
Light light_in(const Image& image, Light light) { return is_linear(image.profile().get()) ? Light::stored : light; }

}  // namespace

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const Image& image, Light light)
    : state_(std::make_unique<State>(std::move(backend), light_in(image, light))) {
    check_image(image);
    Backend& on = *state_->backend;
    state_->samples = state_->light == Light::linear ? on.upload(std::make_shared<const Image>(linear_light(image)))
                                                     : on.upload(image);
}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const std::shared_ptr<const Image>& image, Light light)
    : state_(std::make_unique<State>(std::move(backend), image ? light_in(*image, light) : light)) {
    check_image(image);
    state_->samples = state_->backend->upload(
        state_->light == Light::linear ? std::make_shared<const Image>(linear_light(*image)) : image);
}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, Image&& image, Light light)
    : SourceImage(std::move(backend), std::make_shared<const Image>(std::move(image)), light) {}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const ImageView& image)
    : state_(std::make_unique<State>(std::move(backend))) {
    state_->samples = state_->backend->adopt(image);
}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, std::shared_ptr<const ResidentImage> samples)
    : state_(std::make_unique<State>(std::move(backend))) {
    state_->samples = std::move(samples);
}

namespace {

// What an image is that no backend has.
class ShapeAlone final : public ResidentImage {
public:
    explicit ShapeAlone(const ImageInfo& info)
        : ResidentImage(info.width, info.height, info.channels,
                        info.alpha == Alpha::none ? Alpha::none : Alpha::premultiplied, false) {}
};

}  // namespace

SourceImage::SourceImage(std::shared_ptr<Backend> backend, std::shared_ptr<SampleWindows> windows)
    : state_(std::make_unique<State>(std::move(backend))) {
    if (!windows) throw Error("an image that is not in memory needs windows: give it some");
    state_->light = windows->light();
    state_->samples = std::make_shared<ShapeAlone>(windows->info());
    state_->windows = std::move(windows);
}

SourceImage::SourceImage(std::unique_ptr<State> state) : state_(std::move(state)) {}
SourceImage::~SourceImage() = default;
SourceImage::SourceImage(SourceImage&&) noexcept = default;
SourceImage& SourceImage::operator=(SourceImage&&) noexcept = default;

void SourceImage::move_to(const std::shared_ptr<Backend>& backend) {
    State& state = *state_;
    if (state.windows) state.windows->move_to(backend);
    else backend->take_over(*state.samples);
    for (State::Made& each : state.made) backend->take_over(*each.image);
    state.output = {};
    state.points = {};
    state.border_sum = {};
    state.backend = backend;
    std::vector<std::list<State::Made>::iterator> all;
    for (auto at = state.made.begin(); at != state.made.end(); ++at) {
        at->kept = {};
        all.push_back(at);
    }
    // Keeping one may give up others, but none that is kept no more or not yet.
    for (auto at = all.rbegin(); at != all.rend(); ++at) state.keep(*at);
}

SourceImage SourceImage::shared_on(const std::shared_ptr<Backend>& backend) const {
    state_->demand_all();
    auto state = std::make_unique<State>(backend, state_->light);
    state->samples = backend->share(state_->samples);
    for (const State::Made& each : state_->made)
        state->made.push_back({.key = each.key, .image = backend->share(each.image), .kept = {}, .shared = true});
    return SourceImage(std::move(state));
}

// The oldest first, so that the latest stay if there is room for some only.
void SourceImage::take_made(SourceImage& other) {
    std::list<State::Made> all = std::exchange(other.state_->made, {});
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
        each->kept = {};
        if (each->shared || state_->has(each->key)) continue;
        state_->backend->take_over(*each->image);
        state_->once(each->key, [&] { return std::move(each->image); });
    }
}

const ResidentImage& SourceImage::samples() const { return *state_->samples; }
Backend& SourceImage::backend() const { return *state_->backend; }
SampleWindows* SourceImage::windows() const { return state_->windows.get(); }

std::shared_ptr<const ResidentImage> SourceImage::prepared_for(const MethodSpec& spec) {
    return state_->prepared({}, state_->acting(spec));
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

bool SourceImage::prepare(const PlannedRequest& planned) {
    if (state_->windows || state_->folding(planned)) return false;
    const size_t before = state_->prefilterings;
    state_->source_of(planned.resampling);
    return state_->prefilterings != before;
}

double SourceImage::unprepared(const PlannedRequest& planned, bool float64) const {
    if (state_->windows || state_->folding(planned) || kernel_of(*planned.resampling.spec.method)) return 0;
    const Level level = planned.resampling.reading.level;
    if (float64 && level == Level{}) return 0;  // reads the samples themselves
    const AddressPair& address = planned.resampling.spec.address;
    const SourceKey key = float64 ? level_key(level, address) : key_of(planned.resampling);
    if (key == level_key(level, address)) return state_->unreduced(level, address);
    return state_->has(key) ? 0 : samples_of(level, samples()) + state_->unreduced(level, address);
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

void SourceImage::render(const PlannedRequest& planned, const RenderTarget& target) {
    if (state_->windows) {
        if (!state_->windows->render(planned, target)) throw SamplesToCome();
        return;
    }
    Resampling resampling = planned.resampling;
    if (Folding* const folding = state_->folding(planned))
        return folding->resample_folded(*state_->samples, resampling, target);
    const auto source = state_->source_of(resampling);
    const State::WarpedPoints points = state_->warped_points(planned.warp, resampling);
    resampling.points = points.view;
    state_->resample(*source, resampling, target);
}

bool SourceImage::render_at_hand(const PlannedRequest& planned, const RenderTarget& target) {
    if (state_->windows) return state_->windows->render_at_hand(planned, target);
    render(planned, target);
    return true;
}

void SourceImage::resample(const Resampling& request, const RenderTarget& target) {
    Resampling resampling = request;
    resampling.spec = state_->acting(request.spec);
    state_->resample(*prepared_for(resampling.spec), resampling, target);
}

void SourceImage::render_samples(const Resampling& resampling, const RenderTarget& target, const Compute& compute) {
    state_->with_border(*state_->base(resampling.spec.address), resampling, target, compute);
}

bool SourceImage::render_reference_at_hand(const RenderRequest& request, double* values) {
    if (state_->windows) return state_->windows->render_reference(plan(request), values, true);
    render_reference(request, values);
    return true;
}

void SourceImage::render_reference(const RenderRequest& request, double* values) {
    const PlannedRequest planned = plan(request);
    if (state_->windows) {
        if (!state_->windows->render_reference(planned, values, false)) throw SamplesToCome();
        return;
    }
    Resampling resampling = planned.resampling;
    if (Folding* const folding = state_->folding(planned); folding && resampling.reading.level != Level{})
        return folding->resample_reference_by_strips(*state_->samples, resampling, values);
    resampling.border = state_->border_of(resampling.spec.address);
    resampling.minus_border = resampling.reading.level != Level{};
    const auto level =
        resampling.minus_border ? state_->reduced(resampling.reading.level, resampling.spec.address) : state_->samples;
    const State::WarpedPoints points = state_->warped_points(request.warp, resampling);
    resampling.points = points.view;
    state_->backend->resample_reference(*level, resampling, values);
}

std::vector<float> SourceImage::texels(const RenderRequest& request, int x, int y, int width, int height) {
    check_output_size(width, height);  // before memory is allocated for them
    const PlannedRequest planned = plan(request);
    const Resampling& resampling = planned.resampling;
    if (state_->windows) {
        std::vector<float> values;
        if (!state_->windows->texels(planned, {x, y, width, height}, values)) throw SamplesToCome();
        return values;
    }
    const auto source =
        kernel_of(*resampling.spec.method) ? state_->base(resampling.spec.address) : state_->source_of(resampling);
    Resampling whole;  // nearest reads exactly the texel at whole positions
    whole.spec = default_spec(parse_method("nearest"));
    whole.spec.address = resampling.address();
    whole.width = width;
    whole.height = height;
    whole.reading.positions = {1, 0, double(x), 0, 1, double(y)};
    const size_t row = size_t(width) * size_t(samples().channels());
    std::vector<float> values = numbers<float>(double(row) * height);
    Backend& backend = *state_->backend;
    const auto output = state_->output.at_least(backend, std::max<size_t>(values.size(), 1) * sizeof(float));
    backend.resample(*source, whole, {output.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer});
    backend.read_back(values.data(), output.get(), values.size() * sizeof(float));
    state_->add_border(resampling, values);
    return values;
}

namespace {

// Renders into memory of the backend and copies it into the image's rows.
void render_into(SourceImage& source, const RenderRequest& request, RenderTarget target, Scratch& output,
                 Image& image) {
    Backend& backend = source.backend();
    const auto memory = output.at_least(backend, image.size_bytes());
    target.pixels = memory.get();
    target.row_bytes = image.row_bytes();
    source.render(request, target);
    backend.read_back(image.data(), target.pixels, image.size_bytes());
}

}  // namespace

Image SourceImage::render_to_image(const RenderRequest& request) {
    Image image(request.width, request.height, samples().channels(), SampleType::f32, samples().alpha());
    render_into(*this, request, {.format = RenderTarget::Format::floats}, state_->output, image);
    return image;
}

Image SourceImage::render_to_rgba8(const RenderRequest& request) {
    Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
    render_into(*this, request, {.format = RenderTarget::Format::rgba8}, state_->output, image);
    return image;
}

void SourceImage::sample(const SampleRequest& request, const PointsView& points, float* values) {
    check_spec(request.spec);
    if (points.count == 0) return;
    Backend& backend = *state_->backend;
    check_points(backend, points, samples(), points.count);
    backend.check_memory(values, "the values");
    check_derivative(request.derivative, *request.spec.method, samples().one_dimensional());
    const MethodSpec spec = state_->acting(request.spec);
    const auto source = prepared_for(spec);
    const size_t channels = size_t(samples().channels()), width = 1 << 12;  // points per row; threads share rows
    for (size_t first = 0; first < points.count;) {
        const size_t rest = points.count - first, rows = std::max<size_t>(1, std::min<size_t>(rest / width, 1 << 16));
        Resampling resampling(request);
        resampling.spec = spec;
        resampling.width = int(std::min(rest, width));
        resampling.height = int(rows);
        resampling.encode_srgb = state_->light == Light::linear && request.derivative == Derivative::none;
        resampling.points = points.from(first);
        const size_t row_bytes = size_t(resampling.width) * channels * sizeof(float);
        state_->resample(*source, resampling,
                         {values + first * channels, row_bytes, RenderTarget::Format::floats, no_timer});
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
    render_into(*this, request, {.format = RenderTarget::Format::floats, .timer = no_timer}, state_->output, pixel);
    std::array<float, 4> value{};
    for (int c = 0; c < pixel.channels(); ++c) value[size_t(c)] = pixel.value(0, 0, c);
    return value;
}

}  // namespace texelscope
