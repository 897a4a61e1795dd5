#include "gpu/backend/least_squares.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/errors.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {
namespace {

std::string methods_with_least_squares() {
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods())
        if (has_least_squares(*method)) ids.push_back(method->id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

}  // namespace

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
    const Resampling resampling = source.plan(plain).resampling;
    const Affine& p = resampling.reading.positions;
    auto* const renderer = dynamic_cast<LongTapsRenderer*>(&source.backend());
    if (!renderer) throw Error("this backend cannot shrink by least squares");
    const auto x = kept_least_squares_taps(request.spec, p.x0, p.xx, request.width);
    const auto y = source.samples().one_dimensional()
                       ? std::make_shared<const LongTaps>(single_taps(request.height, 0))
                       : kept_least_squares_taps(request.spec, p.y0, p.yy, request.height);
    source.render_samples(resampling, target,
                          [&](const ResidentImage& samples, const Resampling& what, const RenderTarget& to) {
                              renderer->resample_by_taps(samples, what, *x, *y, {}, to);
                          });
}

Image least_squares_image(SourceImage& source, const RenderRequest& request) {
    return read_back_of(source, request.width, request.height,
                        [&](const RenderTarget& target) { render_least_squares(source, request, target); });
}

}  // namespace texelscope
