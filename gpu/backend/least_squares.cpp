#include "gpu/backend/least_squares.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/errors.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/output.h"
#include "gpu/method/polar_method.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {
namespace {

std::string methods_with_least_squares() {
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods())
        if (has_least_squares(*method)) ids.push_back(method->id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

// The pixels [first, last) of `count` whose positions are not outside.
struct InsideOfAxis {
    int first = 0, last = 0;
    InsideOfAxis(Outside outside, int samples, double origin, double step, int count) : last(count) {
        while (first < last && is_outside_axis(outside, origin + first * step, samples)) ++first;
        while (last > first && is_outside_axis(outside, origin + (last - 1) * step, samples)) --last;
    }
    int count() const { return last - first; }
};

// Whether so many pixels along an axis have taps that are not too many, at places that fit an int.
bool has_taps(const MethodSpec& spec, double origin, double step, int count) {
    constexpr double most_taps = 1 << 24, farthest = 1 << 30, prefilter = 256;
    const double taps = spec.method->taps * std::max(step, 1.0) + prefilter;
    return taps * count <= most_taps && std::abs(origin) + step * count + taps < farthest;
}

LongTapsRenderer& taps_renderer(SourceImage& source) {
    auto* const renderer = dynamic_cast<LongTapsRenderer*>(&source.backend());
    if (!renderer) throw Error("this backend cannot compute pixels from taps of any length");
    return *renderer;
}

using KeptTaps = std::shared_ptr<const LongTaps> (*)(const MethodSpec& spec, double origin, double step, int count);

// By these taps along both axes; a signal has none along y.
void render_by_taps(SourceImage& source, const Resampling& resampling, KeptTaps taps, const RenderTarget& target) {
    const Affine& p = resampling.reading.positions;
    LongTapsRenderer& renderer = taps_renderer(source);
    const auto x = taps(resampling.spec, p.x0, p.xx, resampling.width);
    const auto y = source.samples().one_dimensional()
                       ? std::make_shared<const LongTaps>(single_taps(resampling.height, 0))
                       : taps(resampling.spec, p.y0, p.yy, resampling.height);
    source.render_samples(resampling, target,
                          [&](const ResidentImage& samples, const Resampling& what, const RenderTarget& to) {
                              renderer.resample_by_taps(samples, what, *x, *y, {.any_order = true}, to);
                          });
}

}  // namespace

InsidePart inside_of(const ResidentImage& samples, const Resampling& resampling) {
    const Affine& p = resampling.reading.positions;
    const InsideOfAxis columns(resampling.outside, samples.width(), p.x0, p.xx, resampling.width);
    const InsideOfAxis rows(samples.one_dimensional() ? Outside::extend : resampling.outside, samples.height(), p.y0,
                            p.yy, resampling.height);
    return {columns.first, rows.first, columns.count(), rows.count(), {}};
}

Resampling outside_alone(const Resampling& resampling) {
    Resampling background = resampling;
    background.spec = default_spec(parse_method("nearest"));
    background.reading.stretch_x = background.reading.stretch_y = 1;
    return background;
}

InsidePart render_outside(SourceImage& source, const Resampling& resampling, const RenderTarget& target) {
    const ResidentImage& samples = source.samples();
    InsidePart part = inside_of(samples, resampling);
    if (!part.is_all_of(resampling)) source.resample(outside_alone(resampling), target);
    part.target = target;
    part.target.pixels = static_cast<char*>(target.pixels) + size_t(part.row) * target.row_bytes +
                         size_t(part.column) * bytes_per_pixel(target.format, samples.channels());
    return part;
}

bool is_by_own_samples(const RenderRequest& request, const PlannedRequest& with_pyramid, const ImageShape& image) {
    if (request.pyramid || !request.antialias || with_pyramid.reading.level == Level{} ||
        request.warp.kind != Warp::Kind::none)
        return false;
    const MethodInfo& method = *request.spec.method;
    if (method.recipe || is_polar(method) || kernel_of(method)) return false;
    const Affine p = positions_of(request, image.width, image.height);
    if (!p.axis_aligned() || !(p.xx > 0 && p.yy > 0)) return false;
    return has_taps(request.spec, p.x0, p.xx, request.width) &&
           (image.one_dimensional || has_taps(request.spec, p.y0, p.yy, request.height));
}

void render_by_own_samples(SourceImage& source, const Resampling& resampling, const RenderTarget& target) {
    const InsidePart inside = render_outside(source, resampling, target);
    if (inside.is_empty()) return;
    Resampling part = resampling;
    part.outside = Outside::extend;
    part.width = inside.width;
    part.height = inside.height;
    Affine& p = part.reading.positions;
    p.x0 += inside.column * p.xx;
    p.y0 += inside.row * p.yy;
    render_by_taps(source, part, &kept_antialiasing_taps, inside.target);
}

void check_least_squares(const RenderRequest& request) {
    if (!request.spec.method) return;  // refused by the backend
    if (!has_least_squares(*request.spec.method))
        throw Error(
            fmt::format("{} cannot shrink by least squares, for which a method must have the highest order of its "
                        "support: choose one of {}",
                        request.spec.method->id, methods_with_least_squares()));
    const auto& positions = request.positions;
    if (!positions || !positions->axis_aligned() || !(positions->xx > 0 && positions->yy > 0) ||
        request.warp.kind != Warp::Kind::none)
        throw Error("least squares shrink a whole picture: give positions along the axes, without rotation and warp");
    if (request.derivative != Derivative::none)
        throw Error("a derivative is that of the interpolation itself: ask for values to shrink by least squares");
    if (request.outside != Outside::extend)
        throw Error("least squares need the picture beyond its edges: extend it by its address modes");
}

void render_least_squares(SourceImage& source, const RenderRequest& request, const RenderTarget& target) {
    check_least_squares(request);
    RenderRequest plain = request;
    plain.antialias = false;
    render_by_taps(source, source.plan(plain), &kept_least_squares_taps, target);
}

Image least_squares_image(SourceImage& source, const RenderRequest& request) {
    return read_back_of(source, request.width, request.height,
                        [&](const RenderTarget& target) { render_least_squares(source, request, target); });
}

}  // namespace texelscope
