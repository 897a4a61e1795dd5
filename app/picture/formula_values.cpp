#include "app/picture/formula_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/core/colour.h"
#include "gpu/core/parallel.h"
#include "gpu/core/profiler.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding_slack = 1e-9;  // at Nyquist itself, however positions are rounded, nothing is masked

// The request's map from pixels to samples.
struct Positions {
    Affine affine;
    Warp warp;
    int width, height;  // of the image

    Positions(const RenderRequest& request, const ImageInfo& image)
        : affine(positions_of(request, image.width, image.height)),
          warp(request.warp),
          width(image.width),
          height(image.height) {}

    Point at(double i, double j) const {
        return warped(warp,
                      {affine_position(affine.xx, affine.xy, affine.x0, i, j),
                       affine_position(affine.yy, affine.yx, affine.y0, j, i)},
                      width, height);
    }

    // From half a pixel before to half a pixel after, in samples.
    Point step(double i, double j, double along_i, double along_j) const {
        if (warp.kind == Warp::Kind::none)
            return {along_i * affine.xx + along_j * affine.xy, along_i * affine.yx + along_j * affine.yy};
        const Point before = at(i - along_i / 2, j - along_j / 2), after = at(i + along_i / 2, j + along_j / 2);
        return {after.x - before.x, after.y - before.y};
    }
};

bool passes_nyquist(const LocalDetail& detail, Point step) {
    return std::any_of(detail.waves.begin(), detail.waves.end(), [&](const Point& wave) {
        return std::abs(wave.x * step.x + wave.y * step.y) > 0.5 + rounding_slack;
    });
}

bool is_masked(const LocalDetail& detail, Point step_i, Point step_j) {
    if (passes_nyquist(detail, {1, 0}) || passes_nyquist(detail, {0, 1})) return true;
    double pitch = 1;
    for (const Point& step : {step_i, step_j}) {
        const double length = std::hypot(step.x, step.y);
        if (length <= 1 + rounding_slack) continue;
        if (passes_nyquist(detail, step)) return true;
        pitch = std::max(pitch, length);
    }
    return detail.edge_width < pitch - rounding_slack && detail.edge_distance < pitch / 2 - rounding_slack;
}

bool is_beyond(Outside outside, Point p, const ImageInfo& image) {
    return is_outside_axis(outside, p.x, image.width) || is_outside_axis(outside, p.y, image.height);
}

}  // namespace

void formula_rows(const RenderRequest& request, const ImageInfo& image, const TestImageRequest& formula, bool masked,
                  int first, int count, double* values) {
    const auto function = formula.image->function(formula.width, formula.height);
    const size_t channels = size_t(image.channels);
    const bool has_alpha = image.alpha != Alpha::none;
    const double outside = request.outside == Outside::nan ? nan : has_alpha ? 0 : double(background_level);
    const Positions positions(request, image);
    const auto write = [&](int i, int j, double* to) {
        const Point p = positions.at(i, j);
        if (is_beyond(request.outside, p, image)) return void(std::fill_n(to, channels, outside));
        if (masked && is_masked(function->detail(p), positions.step(i, j, 1, 0), positions.step(i, j, 0, 1)))
            return void(std::fill_n(to, channels, nan));
        const std::array<double, 4> value = function->at(p);
        std::copy_n(value.begin(), channels, to);
        if (has_alpha)
            for (size_t c = 0; c + 1 < channels; ++c) to[c] *= value[channels - 1];
    };
    parallel_for(work::formula, count, 4, [&](int j) {
        double* row = values + size_t(j) * size_t(request.width) * channels;
        for (int i = 0; i < request.width; ++i) write(i, first + j, row + size_t(i) * channels);
    });
}

std::vector<double> formula_values(const Rendition& rendition) {
    const RenderRequest& request = rendition.request;
    const Image& image = *rendition.image;
    const ImageInfo info{image.width(), image.height(), image.channels(), image.type(), image.alpha(), image.profile()};
    std::vector<double> values(size_t(request.width) * size_t(request.height) * size_t(image.channels()));
    formula_rows(request, info, *rendition.formula, rendition.masked, 0, request.height, values.data());
    return values;
}

int64_t masked_pixels(const Rendition& rendition) {
    Rendition whole = rendition;
    whole.request.outside = Outside::background;
    const std::vector<double> values = formula_values(whole);
    const size_t channels = size_t(rendition.image->channels());
    int64_t count = 0;
    for (size_t i = 0; i < values.size(); i += channels) count += std::isnan(values[i]);
    return count;
}

}  // namespace texelscope
