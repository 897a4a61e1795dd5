#pragma once
// Polar methods ("EWA", elliptical weighted average): the weight depends on the distance of the sample in the plane, not
// on its distances along the axes, so that no axis is preferred. What their record says besides MethodInfo, whose
//   taps               is the side of the square of samples that the disc of the weight function meets at most
//   weight             is the radial function, scaled so that its integral over the plane is 1
//   tap_weights        are the weights of a signal, which is a picture that does not change along y
//   hardware_fetches   is 0: the texture unit filters along the axes, which takes weights that are products
// Weights are divided by their sum at each position, which is within a few per cent of 1.

#include "gpu/core/machine.h"
#include "gpu/core/timing.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/method_info.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

struct PolarInfo {
    double radius = 0;  // samples: from there on the radial function is zero
};

// Null for a method that is separable, as most are. Stays valid for the life of the program.
const PolarInfo* polar_of(const MethodInfo& method);
inline bool is_polar(const MethodInfo& method) { return polar_of(method) != nullptr; }

// Beyond this distance the weight function is zero: the radius of the disc, or that along an axis.
double radius_of(const MethodInfo& method);

// Along an axis, at most: one fewer than `taps` where the weight function ends halfway between samples.
int taps_not_zero(const MethodInfo& method);

// Samples under the method's own, unwidened weight function: an average for polar methods, whose disc holds more or fewer
// of them as it moves.
double samples_of_plane(const MethodInfo& method);

// How far the weight function is widened at most, before a smaller image is read. The disc of a polar method holds many
// times the taps of two axes, so half as far.
double largest_stretch(const MethodInfo& method);

// A polar method's static object, like RegisterMethod.
struct RegisterPolarMethod {
    RegisterPolarMethod(MethodInfo info, double radius);
};

// The record of a radial function: the functions that MethodInfo needs of it. `radial` is zero from `radius` on and need
// not be scaled.
MethodInfo described_by_radial(MethodInfo info, double radius, double (*radial)(double distance));

// Evaluation of polar methods (polar_method.h), for host and device: a sum over the samples in a disc, or in the ellipse
// that antialiasing widens it to, with weights from a table of the radial function, over their sum.

namespace work {
inline constexpr WorkName polar{"interpolation, polar"};
}

struct PolarJob {
    ResampleJob job;
    const float* table = nullptr;  // as weight_table() makes it; memory of the backend
    float radius = 1;              // samples
    float largest = 1;             // that a semi-axis of the footprint may be
    FootprintKind kind = FootprintKind::circle;
    Footprint<float> footprint;  // unless it differs from pixel to pixel
};

// Computes rows [first, last) of the job on the calling thread.
void resample_polar_rows(const PolarJob& job, int first, int last);

// Enqueues the job. Throws Error if the launch is refused.
void launch_polar(const PolarJob& job, const DeviceQueue& queue);

// The radial function at a distance: linear between nodes, off by less than 3e-7 (see table_nodes).
TS_HD float radial_weight(const PolarJob& polar, float distance) {
    if (!(distance < polar.radius)) return 0;
    const float at = distance * table_nodes;
    const int node = int(at);
    const float left = polar.table[node];
    return left + (at - float(node)) * (polar.table[node + 1] - left);
}

TS_HD Footprint<float> footprint_at(const PolarJob& polar, int i, int j) {
    if (polar.kind != FootprintKind::points) return polar.footprint;
    return converted<float>(footprint_of(steps_at(polar.job, i, j), double(polar.largest)));
}

// The weight of a sample at (−dx, −dy) from the position, before it is normalised.
TS_HD float polar_weight(const PolarJob& polar, const Footprint<float>& f, float dx, float dy) {
    return radial_weight(polar, sqrtf(fmaxf(dx * (f.xx * dx + 2 * f.xy * dy) + f.yy * dy * dy, 0)));
}

// Calls visit(j, dy, left, right) for the rows of samples under the footprint at (x, y): the samples left … right of row j,
// all counted from floor(y) and floor(x), and dy from the row to the position.
template <class Visit>
TS_HD void for_rows_under(const PolarJob& polar, const Footprint<float>& f, float x, float y, Visit visit) {
    const float reach = polar.radius * f.reach_y;
    const int bottom = int(floorf(y + reach));
    for (int j = int(ceilf(y - reach)); j <= bottom; ++j) {
        const float dy = y - float(j);
        const RowSpan<float> span = span_of_row(f, polar.radius, -dy);
        if (span.half < 0) continue;
        const float middle = x + span.middle;
        visit(j, dy, int(ceilf(middle - span.half)), int(floorf(middle + span.half)));
    }
}

// Row by row, so that not too many numbers are added to one. Samples of weight zero are not read. A signal is a picture
// whose rows are all the same.
template <class Source>
TS_HD Pixel<Source::channels> polar_sum(const Source& source, const PolarJob& polar, const Footprint<float>& f,
                                        double x, double y) {
    constexpr int C = Source::channels;
    const Floored fx = floored(x), fy = floored(y);
    const bool signal = source.one_dimensional();
    auto sum = Pixel<C>::zero();
    float weights = 0;
    for_rows_under(polar, f, fx.part, fy.part, [&](int j, float dy, int left, int right) {
        const int row = signal ? 0 : source.row(fy.whole + j);
        const bool stored = source.stores_columns(fx.whole + left, right - left + 1);
        const int first = stored ? source.column(fx.whole + left) : 0;
        auto line = Pixel<C>::zero();
        float line_weights = 0;
        TS_UNROLL_BY(1)
        for (int i = left; i <= right; ++i) {
            const float w = polar_weight(polar, f, fx.part - float(i), dy);
            if (w == 0) continue;
            line_weights += w;
            const int column = stored ? first + (i - left) : source.column(fx.whole + i);
            if (!Source::is_zero(row) && !Source::is_zero(column)) line.add_scaled(w, source.load(column, row));
        }
        sum.add_scaled(1, line);
        weights += line_weights;
    });
    auto result = Pixel<C>::zero();
    if (weights != 0) result.add_scaled(1 / weights, sum);
    return result;
}
template <int C>
TS_HD Pixel<C> polar_sum(const AnySource<C>& any, const PolarJob& polar, const Footprint<float>& f, double x,
                         double y) {
    return any.typed([&](const auto& source) { return polar_sum(source, polar, f, x, y); });
}

namespace detail {

template <int C, class Source> TS_HD void polar_pixel(const Source& source, const PolarJob& polar, int i, int j) {
    const auto evaluate = [&](const TexelArray&, double x, double y) {
        return polar_sum(source, polar, footprint_at(polar, i, j), x, y);
    };
    resample_pixel<C>(evaluate, polar.job, i, j);
}

}  // namespace detail

}  // namespace texelscope
