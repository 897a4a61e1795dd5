#pragma once
// What is compared of two pixels: their errors; SSIM's window and formula.

#include <cmath>

#include "gpu/compare/metrics.h"
#include "gpu/core/platform.h"
#include "gpu/display/pixel.h"
#include "gpu/method/position.h"

namespace texelscope {

inline constexpr int ssim_taps = 11;  // of the window, along each axis
static_assert(rows_seen_twice == ssim_taps - 1);

// exp(−d² / 2σ²), d = −5 … 5, over their sum.
struct SsimWindow {
    double weight[ssim_taps];
};

inline SsimWindow ssim_window() {
    constexpr double sigma = 1.5;
    SsimWindow window;
    double sum = 0;
    for (int k = 0; k < ssim_taps; ++k) sum += window.weight[k] = std::exp(-0.5 * (k - 5) * (k - 5) / (sigma * sigma));
    for (double& w : window.weight) w /= sum;
    return window;
}

// Weighted means over a window: a, r, a² + r², a·r.
inline constexpr int moments = 4;
struct Moments {
    double v[moments];

    // The moments of one pixel.
    static TS_HD Moments of(double a, double r) { return {{a, r, a * a + r * r, a * r}}; }
};

// Wang, Bovik, Sheikh & Simoncelli 2004, eq. 13, with the moments of the population.
TS_HD double ssim_of(const Moments& m, double peak) {
    const double c1 = 0.01 * peak * 0.01 * peak, c2 = 0.03 * peak * 0.03 * peak;
    const double a = m.v[0], r = m.v[1];
    const double means = a * a + r * r, variances = m.v[2] - means, covariance = m.v[3] - a * r;
    return (2 * a * r + c1) * (2 * covariance + c2) / ((means + c1) * (variances + c2));
}

TS_HD bool is_selected(const MeasureJob::Selection& s, int i, int j) {
    const Affine& p = s.positions;
    const double x = affine_position(p.xx, p.xy, p.x0, i, j);
    if (!(x >= s.x0 && x < s.x1)) return false;
    if (s.x_only) return true;
    const double y = affine_position(p.yy, p.yx, p.y0, j, i);
    return y >= s.y0 && y < s.y1;
}

// What a kernel takes by value.
struct ComparedPlanes : PicturePair {
    int first_row, seen_rows;
    bool selects, parts;
    MeasureJob::Selection selection;
    Interior inside;
};

inline ComparedPlanes planes_of(const MeasureJob& job) {
    return {job,
            job.first_row,
            job.seen_rows,
            job.selection.has_value(),
            job.inside.has_value(),
            job.selection.value_or(MeasureJob::Selection{}),
            job.inside.value_or(Interior{})};
}

TS_HD bool pixel_inside(const ComparedPlanes& p, int i, int j) {
    return p.parts && p.inside.contains(i, j, {p.width, p.height});
}

// Whether the window with this first pixel is wholly inside.
TS_HD bool window_inside(const ComparedPlanes& p, int i, int j) {
    constexpr int last = ssim_taps - 1;
    return pixel_inside(p, i, j) && pixel_inside(p, i + last, j) && pixel_inside(p, i, j + last) &&
           pixel_inside(p, i + last, j + last);
}

// Adds the pixel's errors to the sums it belongs to, unless they have been counted.
TS_HD Compared compare_pixel(const ComparedPlanes& p, int i, int j, BothErrors& sums) {
    if (p.selects && !is_selected(p.selection, i, p.first_row + j)) return Compared::no;
    const bool counts = j >= p.seen_rows, inside = counts && pixel_inside(p, i, j);
    const long long pixel = (long long)(p.first_row + j) * p.width + i;
    const size_t index = value_index(p, i, j);
    double sum = 0, most = 0;
    for (int c = 0; c < p.channels; ++c) {
        const double a = plane_value(p.values, index + size_t(c)), r = plane_value(p.reference, index + size_t(c));
        if (!is_finite(a) || !is_finite(r)) {
            if (counts) ++sums.all.left_out;
            if (inside) ++sums.inside.left_out;
            return Compared::left_out;
        }
        const double d = fabs(a - r);
        sum += d * d;
        most = d > most ? d : most;
    }
    if (counts) sums.all.add(sum, most, pixel);
    if (inside) sums.inside.add(sum, most, pixel);
    return Compared::yes;
}

}  // namespace texelscope
