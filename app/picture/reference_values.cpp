#include "app/picture/reference_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/core/colour.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {

bool ReferenceValues::computes(const Rendition& rendition) {
    return rendition.float64 && (rendition.formula || rendition.image->in_memory());
}

// An estimate. Zoomed out, the many taps of a pixel cost more than the coefficients.
double ReferenceValues::cost(const Rendition& rendition) const {
    if (!computes(rendition) || values_.find(rendition)) return 0;
    const RenderRequest& request = rendition.request;
    const MethodInfo& method = *request.spec.method;
    constexpr double widest = 4;  // beyond, a smaller image is read
    const bool widened = request.antialias && request.view.scale > 1;
    const double along = method.taps * (widened ? std::min(request.view.scale, widest) : 1);
    const double pixels = double(request.width) * request.height, channels = rendition.image->channels();
    const double samples = double(rendition.image->width()) * rendition.image->height();
    const bool filters = method.has_prefilter() && !widened && !rendition.formula;
    constexpr double per_sample = 16;  // of two recursions along each axis
    return channels * (pixels * along * along + (filters ? samples * per_sample : 0));
}

bool ReferenceValues::ready(const Rendition& rendition) { return !computes(rendition) || values_.ask(rendition); }

ReferenceValues::Values ReferenceValues::find(const Rendition& rendition) const {
    const auto* made = values_.find(rendition);
    return made ? made->value.value_or(nullptr) : nullptr;
}

ReferenceValues::Values ReferenceValues::at(const Rendition& rendition, SourceImage& source) {
    if (Values known = find(rendition)) return known;
    Values values = computed(rendition, &source);
    values_.put({rendition, values});
    return values;
}

ReferenceValues::Values ReferenceValues::computed(const Rendition& rendition, SourceImage* source) {
    const RenderRequest& request = rendition.request;
    const double count = double(request.width) * request.height * rendition.image->channels();
    const double bytes = count * sizeof(double);
    try {
        // A large vector is checked beforehand: see machine.h.
        if (bytes >= 0x1p24 && bytes > double(available_host_memory())) throw std::bad_alloc();
        if (rendition.formula) return std::make_shared<const std::vector<double>>(formula_values(rendition));
        const auto values = std::make_shared<std::vector<double>>(size_t(count));
        source->render_reference(request, values->data());
        source->backend().synchronize();
        return values;
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("no memory for the reference: its {}×{} pixels take {:.0f} MiB in float64",
                                      request.width, request.height, bytes / 0x1p20));
    }
}

void ReferenceValues::begin(SourceCache& sources) {
    values_.end_frame([&](const Rendition& next) {
        std::shared_ptr<SourceImage> source;
        if (!next.formula) {
            sources.at(next.image, next.light);
            source = sources.shared_on(make_cpu_backend(), next.image, next.light);
        }
        return [next, source](const std::stop_token& stop) {
            const StoppableLoops stoppable(stop);
            return computed(next, source.get());
        };
    });
}

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
