#include "gpu/backend/source_state.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpu/backend/arguments.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {
namespace {

// What is linear light already needs no decoding.
Light light_in(const Image& image, Light light) { return is_linear(image.profile().get()) ? Light::stored : light; }

}  // namespace

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const Image& image, Light light)
    : state_(std::make_unique<State>(std::move(backend), light_in(image, light))) {
    check_image(image);
    Backend& on = *state_->backend;
    state_->samples = state_->light == Light::linear ? on.upload(std::make_shared<const Image>(linear_light(image)))
                                                     : on.upload(image);
    state_->stored = state_->light == Light::linear ? SampleType::f32 : image.type();
}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const std::shared_ptr<const Image>& image, Light light)
    : state_(std::make_unique<State>(std::move(backend), image ? light_in(*image, light) : light)) {
    check_image(image);
    state_->samples = state_->backend->upload(
        state_->light == Light::linear ? std::make_shared<const Image>(linear_light(*image)) : image);
    state_->stored = state_->light == Light::linear ? SampleType::f32 : image->type();
}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, Image&& image, Light light)
    : SourceImage(std::move(backend), std::make_shared<const Image>(std::move(image)), light) {}

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const ImageView& image)
    : state_(std::make_unique<State>(std::move(backend))) {
    state_->samples = state_->backend->adopt(image);
    state_->stored = image.type;
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

SourceImage::SourceImage(std::shared_ptr<Backend> backend, std::shared_ptr<SampleRegions> regions)
    : state_(std::make_unique<State>(std::move(backend))) {
    if (!regions) throw Error("an image that is not in memory needs regions: give it some");
    state_->light = regions->light();
    state_->samples = std::make_shared<ShapeAlone>(regions->info());
    state_->regions = std::move(regions);
}

SourceImage::SourceImage(std::unique_ptr<State> state) : state_(std::move(state)) {}
SourceImage::~SourceImage() = default;
SourceImage::SourceImage(SourceImage&&) noexcept = default;
SourceImage& SourceImage::operator=(SourceImage&&) noexcept = default;

void SourceImage::move_to(const std::shared_ptr<Backend>& backend) {
    State& state = *state_;
    if (state.regions) state.regions->move_to(backend);
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
    state->stored = state_->stored;
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
        state_->keep(each->key, std::move(each->image));
    }
}

const ResidentImage& SourceImage::samples() const { return *state_->samples; }
Backend& SourceImage::backend() const { return *state_->backend; }
SampleRegions* SourceImage::regions() const { return state_->regions.get(); }

// A caller still holds it, so it is in use: the budget does not touch it.
void SourceImage::State::keep(std::list<Made>::iterator at) {
    at->kept = backend->memory().keep(at->image->size_bytes(), [this, at] {
        if (at->image.use_count() == 1) made.erase(at);
    });
}

std::shared_ptr<const ResidentImage> SourceImage::State::keep(const SourceKey& key,
                                                              std::shared_ptr<const ResidentImage> image) {
    made.push_front({.key = key, .image = image, .kept = {}});
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

// With what lies beyond the image's borders, and without a border value that changes nothing: as planned() has it.
Resampling SourceImage::State::acting(Resampling request) const {
    request.border = border_of(request.spec.address);
    if (request.border.is_zero()) request.spec.address.border = {};
    return request;
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

// How many samples would be read to make the level.
double SourceImage::State::unreduced(Level level, const AddressPair& address) const {
    if (level == Level{} && address.border == BorderValue{}) return 0;
    if (has(level == Level{} ? base_key(address) : level_key(level, address))) return 0;
    if (level == Level{}) return samples_of(level, *samples);
    return samples_of(before(level), *samples) + unreduced(before(level), address);
}

bool SourceImage::write_coefficients(const MethodSpec& spec, const RenderTarget& target) {
    Resampling whole;
    whole.spec = spec;
    const MethodSpec acting = state_->acting(whole).spec;
    check_spec(acting);
    if (!acting.filters() || state_->has(coefficients_key({}, acting))) return false;
    return state_->backend->prefilter_into(*state_->image_of({}, acting, false), acting, target);
}

bool SourceImage::renders_batch(const RenderRequest& request) const {
    const FetchPath path = request.spec.effective_path();
    if (path == FetchPath::lookup || path == FetchPath::hardware) return false;
    const PlannedRequest planned = plan(request);
    if (planned.by_levels) return false;
    return !planned.by_rules || recipe_renders_batch(*this, state_->stored, planned);
}

bool SourceImage::renders_levels(const AddressPair& address) const {
    return !state_->regions && backend().info().kind == BackendKind::cpu && state_->border_of(address).is_zero();
}

// SourceImage::render_map: renders each pixel from the level of the pyramid that its stretch needs.

namespace {

class Map {
public:
    Map(const PointsView& points, int width, int height) : points_(points), width_(width), height_(height) {}

    // The distance of the position of pixel (i, j) from the next ones, along each axis of sample space.
    Point stretch_at(int i, int j) const {
        const Point p = at(i, j);
        const Point along_i = shorter(p, i > 0 ? at(i - 1, j) : p, i + 1 < width_ ? at(i + 1, j) : p),
                    along_j = shorter(p, j > 0 ? at(i, j - 1) : p, j + 1 < height_ ? at(i, j + 1) : p);
        return {std::hypot(along_i.x, along_j.x), std::hypot(along_i.y, along_j.y)};
    }

private:
    Point at(int i, int j) const { return points_.at(size_t(j) * size_t(width_) + size_t(i)); }

    // The shorter step to one of two neighbours, if both have a length; a missing neighbour is p itself.
    static Point shorter(Point p, Point before, Point after) {
        const Point back{p.x - before.x, p.y - before.y}, forth{after.x - p.x, after.y - p.y};
        const double to_before = std::hypot(back.x, back.y), to_after = std::hypot(forth.x, forth.y);
        return to_before > 0 && (to_before < to_after || !(to_after > 0)) ? back : forth;
    }

    PointsView points_;
    int width_, height_;
};

// The level of each of width × height pixels, which widens the weight function as far as under a view: for the distances to
// the neighbouring points along each axis of sample space, on the side where they are closer, so that a seam of the map is no
// stretch. The points are in host memory and in samples of the image.
std::vector<Level> levels_of_map(const PointsView& points, int width, int height, const MethodSpec& spec,
                                 const ImageShape& image) {
    const Map map(points, width, height);
    std::vector<Level> levels;
    levels.reserve(size_t(width) * size_t(height));
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const Point stretch = map.stretch_at(i, j);
            const bool finite = std::isfinite(stretch.x) && std::isfinite(stretch.y);
            levels.push_back(finite ? level_for(stretch.x, stretch.y, spec, image) : Level{});
        }
    return levels;
}

// The points in samples of a level, as pairs.
std::vector<double> points_on(const ReadPlan& reading, const PointsView& points) {
    std::vector<double> pairs(2 * points.count);
    for (size_t k = 0; k < points.count; ++k) {
        const Point p = points.at(k);
        pairs[2 * k] = reading.level_x.at(p.x);
        pairs[2 * k + 1] = reading.level_y.at(p.y);
    }
    return pairs;
}

ReadPlan reading_of_map(Level level, const AddressPair& address, const ResidentImage& image) {
    ReadPlan reading;
    reading.level = level;
    reading.level_x = LevelAxis(address.x, image.width(), halved(image.width(), level.x));
    reading.level_y = LevelAxis(address.y, image.height(), halved(image.height(), level.y));
    reading.local_stretch = true;
    return reading;
}

}  // namespace

Image SourceImage::render_map(const SampleRequest& request, const PointsView& points, int width, int height) {
    check_spec(request.spec);
    check_output_size(width, height);
    Backend& backend = *state_->backend;
    check_host_points(backend, points, samples());
    Resampling resampling = state_->acting(Resampling(request));
    resampling.width = width;
    resampling.height = height;
    resampling.encode_srgb = state_->light == Light::linear;
    std::vector<Level> left(size_t(width) * size_t(height));  // levels that pixels still need
    if (!kernel_of(*request.spec.method))                     // else nothing is widened
        left = levels_of_map(points, width, height, resampling.spec,
                             {samples().width(), samples().height(), samples().one_dimensional()});
    constexpr Level done{-1, -1};
    Image result(width, height, samples().channels(), SampleType::f32, samples().alpha()), read = result;
    const size_t channels = size_t(samples().channels());
    for (auto next = left.begin(); next != left.end();
         next = std::find_if(next, left.end(), [&](Level level) { return level != done; })) {
        if (*next == done) continue;
        const Level level = *next;
        resampling.reading = reading_of_map(level, resampling.spec.address, samples());
        resampling.spec.prefilter = resampling.reading.on_level(request.spec.prefilter);
        const std::vector<double> pairs = points_on(resampling.reading, points);
        const auto memory = state_->points.at_least(backend, pairs.size() * sizeof(double));
        backend.write(memory.get(), pairs.data(), pairs.size() * sizeof(double));
        resampling.points = PointsView::pairs(static_cast<const double*>(memory.get()), points.count);
        const auto output = state_->output.at_least(backend, read.size_bytes());
        state_->border_sum.render(backend, *state_->image_of(resampling), resampling,
                                  {output.get(), read.row_bytes(), RenderTarget::Format::floats, no_timer});
        backend.read_back(read.data(), output.get(), read.size_bytes());
        for (size_t k = 0; k < left.size(); ++k) {
            if (left[k] != level) continue;
            left[k] = done;
            std::copy_n(read.row_as<float>(0) + k * channels, channels, result.row_as<float>(0) + k * channels);
        }
    }
    return result;
}

SourceKey level_key(Level level, const AddressPair& address) { return {level, {}, {Prefilter::Kind::none}, address}; }

SourceKey base_key(const AddressPair& address) {
    return level_key({}, {AddressMode::border, AddressMode::border, address.border});
}

SourceKey coefficients_key(Level level, const MethodSpec& spec) {
    return {level, spec.inverse_filter(), spec.prefilter, spec.address};
}

SourceKey key_of(const Resampling& resampling) {
    const MethodSpec& spec = resampling.spec;
    return resampling.filtered() ? coefficients_key(resampling.reading.level, spec)
                                 : level_key(resampling.reading.level, spec.address);
}

Reduction last_step_to(Level level) { return {level.x > 0 && level.x >= level.y, level.y > 0 && level.y >= level.x}; }

Level before(Level level) {
    const Reduction axes = last_step_to(level);
    return {level.x - axes.x, level.y - axes.y};
}

double samples_of(Level level, const ResidentImage& image) {
    return double(halved(image.width(), level.x)) * double(halved(image.height(), level.y)) * image.channels();
}

}  // namespace texelscope
