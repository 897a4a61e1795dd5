#pragma once
// How far a weight function is widened for zooming out without aliasing.

#include <cmath>

#include "gpu/method/position.h"

namespace texelscope {

// Widened no further than this; from there on a smaller image of the pyramid is read.
inline constexpr double max_stretch = 8;

// Taps along an axis: of an eight-tap method at the largest stretch, both ends included.
inline constexpr int max_widened_taps = 8 * int(max_stretch) + 1;

// As far as there is room for the taps: of methods of more than eight, half of it.
TS_HD double largest_stretch(double radius) { return radius > 4 ? max_stretch / 2 : max_stretch; }

// The stretches at output pixel (i, j) of a job with points: how far apart the neighbouring ones are along each axis.
TS_HD void local_stretches(const ResampleJob& job, int i, int j, double& stretch_x, double& stretch_y) {
    const Point p = position_of(job, i, j);
    const int next_i = i + 1 < job.output.width ? i + 1 : i - 1, next_j = j + 1 < job.output.height ? j + 1 : j - 1;
    const Point along_i = next_i >= 0 ? position_of(job, next_i, j) : p,
                along_j = next_j >= 0 ? position_of(job, i, next_j) : p;
    const auto stretch = [](double a, double b) {
        const double s = sqrt(a * a + b * b);
        return s > 1 ? (s < max_stretch ? s : max_stretch) : 1.0;  // NaN: 1
    };
    stretch_x = stretch(along_i.x - p.x, along_j.x - p.x);
    stretch_y = stretch(along_i.y - p.y, along_j.y - p.y);
}

// The footprint of an output pixel on the samples, under a view or a warp: an ellipse (Greene & Heckbert 1986).

// How the position that is read moves from an output pixel to its neighbours: (xi, yi) per pixel to the right, (xj, yj)
// per pixel down, in samples.
struct Steps {
    double xi = 1, yi = 0;
    double xj = 0, yj = 1;
};

// The ellipse on which a radial function has the value that it has at distance 1: xx·dx² + 2·xy·dx·dy + yy·dy² = 1 for
// (dx, dy) from its centre. A footprint that is not widened is the unit circle.
template <class Real> struct Footprint {
    Real xx = 1, xy = 0, yy = 1;
    Real reach_y = 1;  // of the ellipse, from its centre
};

// The image of a pixel's unit circle under the steps: its semi-axes are the singular values of their matrix, each made at
// least 1, so that no sample between is missed where the view zooms in along one direction, and at most `largest`. The
// unit circle if the steps are not finite.
TS_HD Footprint<double> footprint_of(const Steps& s, double largest) {
    // The matrix times its transpose: mean and half difference of the eigenvalues, twice the angle of the first.
    const double xx = s.xi * s.xi + s.xj * s.xj, yy = s.yi * s.yi + s.yj * s.yj, xy = s.xi * s.yi + s.xj * s.yj;
    const double mean = (xx + yy) / 2, half = (xx - yy) / 2, apart = sqrt(half * half + xy * xy);
    if (!(mean + apart <= 1e300)) return {};
    const double most = largest * largest;
    const double major = fmin(fmax(mean + apart, 1.0), most), minor = fmin(fmax(mean - apart, 1.0), most);
    const double cosine = apart > 0 ? half / apart : 1, sine = apart > 0 ? xy / apart : 0;
    const double even = (1 / major + 1 / minor) / 2, odd = (1 / major - 1 / minor) / 2;
    return {even + odd * cosine, odd * sine, even - odd * cosine,
            sqrt((major + minor) / 2 - (major - minor) / 2 * cosine)};
}

template <class Real> TS_HD Footprint<Real> converted(const Footprint<double>& f) {
    return {Real(f.xx), Real(f.xy), Real(f.yy), Real(f.reach_y)};
}

// The steps of a job without points.
TS_HD Steps steps_of(const ResampleJob& job) {
    const Affine& a = job.positions;
    if (job.source.one_dimensional) return {a.xx, 0, 0, 1};
    return {a.xx, a.yx, a.xy, a.yy};
}

// With points: the distances of neighbouring ones.
TS_HD Steps steps_at(const ResampleJob& job, int i, int j) {
    const Point p = position_of(job, i, j);
    const int next_i = i + 1 < job.output.width ? i + 1 : i - 1, next_j = j + 1 < job.output.height ? j + 1 : j - 1;
    const Point right = next_i >= 0 ? position_of(job, next_i, j) : p,
                down = next_j >= 0 ? position_of(job, i, next_j) : p;
    if (job.source.one_dimensional) return {right.x - p.x, 0, 0, 1};
    return {right.x - p.x, right.y - p.y, down.x - p.x, down.y - p.y};
}

// What a pixel's footprint comes from.
enum class FootprintKind {
    circle,  // the method's own disc, not widened
    view,    // the same ellipse for all pixels
    points   // another one at each
};

// Along one row of samples, at distance dy from the centre: the columns within `radius` of the centre, as distances to the
// right of the centre. None if half is negative.
template <class Real> struct RowSpan { Real middle, half; };
template <class Real> TS_HD RowSpan<Real> span_of_row(const Footprint<Real>& f, Real radius, Real dy) {
    const Real rest = radius * radius - (f.yy - f.xy * f.xy / f.xx) * dy * dy;
    return {-f.xy / f.xx * dy, rest >= 0 ? Real(sqrt(rest / f.xx)) : Real(-1)};
}

}  // namespace texelscope
