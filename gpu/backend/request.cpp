#include "gpu/backend/request.h"

#include <algorithm>
#include <cmath>

#include "gpu/backend/arguments.h"
#include "gpu/backend/job.h"
#include "gpu/backend/least_squares.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/colour.h"
#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

RenderRequest resize_request(Extent samples, const MethodSpec& spec, int width, int height, Align align,
                             bool antialias) {
    RenderRequest request;
    request.spec = spec;
    request.width = width;
    request.height = height;
    request.antialias = antialias;
    request.positions = aligned_affine(align, samples.width, samples.height, width, height);
    return request;
}

namespace {

// Halvings along an axis of n samples after which the remaining stretch is below the largest one.
int halvings(double stretch, AddressMode mode, int n, double largest) {
    int level = 0;
    double left = stretch;
    for (int rest = n; left >= largest && rest > 1; ++level) {
        rest = (rest + 1) / 2;
        left = stretch * LevelAxis(mode, n, rest).ratio();
    }
    return level;
}

// How far the weight function is widened along an axis whose positions step by (a, b) from pixel to pixel. The rounding
// of a rotation does not count as zooming out.
double stretch_of(double a, double b) {
    const double step = std::hypot(a, b);
    return step > 1 + 1e-12 ? step : 1.0;
}

}  // namespace

int halved(int n, int times) {
    for (; times > 0; --times) n = (n + 1) / 2;
    return n;
}

AddressPair address_on(Level level, const AddressPair& of_image) {
    const auto mode = [](int halvings, AddressMode of_axis) {
        return halvings > 0 && of_axis == AddressMode::reflect101 ? AddressMode::mirror : of_axis;
    };
    return {mode(level.x, of_image.x), mode(level.y, of_image.y), {}};
}

Level level_for(double stretch_x, double stretch_y, const MethodSpec& spec, const ImageShape& image) {
    const double largest = largest_stretch(*spec.method);
    return {halvings(stretch_x, spec.address.x, image.width, largest),
            image.one_dimensional ? 0 : halvings(stretch_y, spec.address.y, image.height, largest)};
}

ReadPlan plan_reading(const RenderRequest& request, const ImageShape& image) {
    const View& view = request.view;
    if (!request.positions && (!std::isfinite(view.translate_x) || !std::isfinite(view.translate_y) ||
                               !std::isfinite(view.rotate) || !std::isfinite(view.scale) || !(view.scale > 0)))
        throw Error("the view's translation, rotation and scale must be finite numbers, and the scale above 0");
    const int width = image.width, height = image.height;
    const bool signal = image.one_dimensional;
    ReadPlan plan;
    plan.positions = positions_of(request, width, height);
    if (!request.antialias || kernel_of(*request.spec.method)) return plan;  // a kernel is not widened

    Affine& a = plan.positions;
    const double stretch_x = stretch_of(a.xx, a.xy), stretch_y = stretch_of(a.yx, a.yy);
    const double largest = largest_stretch(*request.spec.method);
    const AddressPair& address = request.spec.address;
    plan.level = level_for(stretch_x, stretch_y, request.spec, image);
    plan.level_x = LevelAxis(address.x, width, halved(width, plan.level.x));
    plan.level_y = LevelAxis(address.y, height, halved(height, plan.level.y));
    plan.stretch_x = stretch_x;
    plan.stretch_y = stretch_y;
    const bool reduced = plan.level != Level{};
    if (request.warp.kind != Warp::Kind::none) {  // the warp's points are on the level that only the view asks for
        plan.local_stretch = true;
        return plan;
    }
    if (reduced) {
        const double rx = plan.level_x.ratio(), ry = plan.level_y.ratio();
        a = {a.xx * rx, a.xy * rx, plan.level_x.at(a.x0), a.yx * ry, a.yy * ry, plan.level_y.at(a.y0)};
        plan.stretch_x = std::max(1.0, stretch_x * rx);
        plan.stretch_y = std::max(1.0, stretch_y * ry);
    }
    // An axis of a single sample is widened without limit, over the sample itself. With zero beyond it that is no coefficient,
    // which has a margin around it; otherwise both are the same.
    const auto is_single_sample = [&](AddressMode mode, double stretch) {
        return mode == AddressMode::border && stretch > largest;
    };
    plan.prefiltered =
        !is_single_sample(address.x, plan.stretch_x) && (signal || !is_single_sample(address.y, plan.stretch_y));
    return plan;
}

namespace {

bool is_by_levels(const RenderRequest& request) {
    return request.spec.effective_mip() != Mip::none && request.derivative == Derivative::none;
}

void check_request(const RenderRequest& request, bool one_dimensional) {
    check_spec(request.spec);
    check_derivative(request.derivative, *request.spec.method, one_dimensional);
    if (request.antialias && request.derivative != Derivative::none)
        throw Error("a derivative is that of the interpolation itself: switch antialiasing off");
    if (request.warp.kind != Warp::Kind::none && one_dimensional)
        throw Error("a one-dimensional signal has no plane to warp");
    if (is_by_levels(request) && request.spec.address.has_border() && request.spec.address.border != BorderValue{})
        throw Error("mip levels have zero beyond a border: leave the border value out");
}

}  // namespace

PlannedRequest planned(const RenderRequest& asked, const ImageShape& image, Light light,
                       const std::optional<BorderPixel>& border, bool in_memory) {
    check_request(asked, image.one_dimensional);
    RenderRequest request = asked;
    if (is_by_levels(request)) request.antialias = false;  // mip levels take its place
    PlannedRequest result(request);
    if (border) result.border = *border;
    if (border && border->is_zero()) result.spec.address.border = {};
    result.reading = plan_reading(request.spec.method->recipe ? without_recipe(request) : request, image);
    result.spec.prefilter = result.reading.on_level(request.spec.prefilter);
    result.width = request.width;
    result.height = request.height;
    const bool value = request.derivative == Derivative::none;  // a derivative is not a level to be coded
    result.encode_srgb = light == Light::linear && value;
    result.simple = request.simple;
    result.warp = request.warp;
    result.by_levels = is_by_levels(request) && !image.one_dimensional;
    result.by_rules = in_memory && is_by_rules(request, image);
    result.by_own_samples = in_memory && is_by_own_samples(request, result, image);
    if (!result.by_rules && !result.by_own_samples) return result;
    ReadPlan reading;  // of the samples; how far weights are widened, and a prefilter, is in the taps
    reading.positions = positions_of(request, image.width, image.height);
    reading.prefiltered = false;
    result.reading = reading;
    return result;
}

// What the levels of a picture are to a kernel.
MipJob mip_job(const ResampleJob& job, std::span<const LevelReader::LevelImage> levels,
               const std::function<TexelArray(const ResidentImage&)>& texels_of) {
    MipJob mip;
    mip.job = job;
    mip.levels = int(levels.size());
    mip.mip = job.spec.effective_mip();
    mip.nearest = job.spec.method->taps == 1;
    for (size_t k = 0; k < levels.size(); ++k) {
        const ReadPlan& reading = levels[k].reading;
        MipLevel& level = mip.level[k];
        level.texels = texels_of(*levels[k].image);
        level.texels.address = address_on(reading.level, job.spec.address);
        level.shift_x = reading.level_x.at(0);
        level.scale_x = reading.level_x.at(1) - level.shift_x;
        level.shift_y = reading.level_y.at(0);
        level.scale_y = reading.level_y.at(1) - level.shift_y;
    }
    return mip;
}

BorderPixel border_pixel(const BorderValue& border, int channels, bool has_alpha, bool linear_light) {
    const int colours = channels - (has_alpha ? 1 : 0);
    const auto number = [&](int c) {
        if (c < border.count || border.count == 1) return double(border.value[std::min(c, border.count - 1)]);
        return c == colours ? 1.0 : double(border.value[border.count - 1]);
    };
    const double alpha = has_alpha ? number(colours) : 1.0;
    BorderPixel pixel;
    for (int c = 0; c < colours; ++c) pixel.v[c] = float(alpha * (linear_light ? srgb_decoded(number(c)) : number(c)));
    if (has_alpha) pixel.v[colours] = float(alpha);
    return pixel;
}

BorderPixel border_tap(const BorderPixel& border, int channels, bool has_alpha) {
    const int colours = channels - (has_alpha ? 1 : 0);
    BorderPixel tap;
    for (int c = 0; c < 3; ++c)
        tap.v[c] = colours == 0 || (colours == 2 && c == 2) ? 0 : border.v[colours == 1 ? 0 : c];
    tap.v[3] = has_alpha ? border.v[colours] : colours == 4 ? border.v[3] : 0;
    return tap;
}

std::shared_ptr<const ResidentImage> BorderSum::ones(Resampler& backend, const Resampling& request,
                                                     bool one_dimensional) {
    if (!one_) {
        Image sample(1, 1, 1, SampleType::f32);
        *sample.row_as<float>(0) = 1;
        sample.set_one_dimensional(one_dimensional);
        one_ = backend.upload(sample);
    }
    const MethodSpec& spec = request.spec;
    if (!request.filtered()) return one_;
    MethodSpec clamped = spec;
    clamped.address = {};
    return backend.prefilter(*one_, clamped);
}

void BorderSum::render(Backend& backend, const ResidentImage& source, const Resampling& request,
                       const RenderTarget& target, const Compute& compute) {
    const auto computed = [&](const ResidentImage& image, const Resampling& what, const RenderTarget& to) {
        return compute ? compute(image, what, to) : backend.resample(image, what, to);
    };
    const MethodSpec& spec = request.spec;
    const bool sums_vary = spec.method->custom && !spec.method->custom->function().file().normalise;
    if (request.border.is_zero() || kernel_of(*spec.method) || (request.derivative != Derivative::none && !sums_vary))
        return computed(source, request, target);
    const bool in_place = target.format == RenderTarget::Format::floats;
    BorderTerm term{.border = request.border};
    term.row_bytes = in_place ? target.row_bytes : size_t(request.width) * size_t(source.channels()) * sizeof(float);
    std::shared_ptr<void> values, weights;
    if (!in_place) values = unfinished_.at_least(backend, term.row_bytes * size_t(request.height));
    RenderTarget floats{in_place ? target.pixels : values.get(), term.row_bytes, RenderTarget::Format::floats, no_timer,
                        in_place ? target.image_bytes : 0};
    term.values = static_cast<const float*>(floats.pixels);
    backend.timed(target.timer, [&] {
        Resampling plain = request;
        plain.encode_srgb = false;
        computed(source, plain, floats);
        if (sums_vary) {
            plain.outside = Outside::extend;
            plain.spec.address = {};
            const size_t row_bytes = size_t(request.width) * sizeof(float);
            weights = sums_.at_least(backend, row_bytes * size_t(request.height));
            computed(*ones(backend, plain, source.one_dimensional()), plain,
                     {weights.get(), row_bytes, RenderTarget::Format::floats, no_timer});
            term.weights = static_cast<const float*>(weights.get());
        }
        backend.add_border(source, request, term,
                           {target.pixels, target.row_bytes, target.format, no_timer, target.image_bytes});
    });
}

}  // namespace texelscope
