#pragma once
// What is compared of two pixels: their errors, and how different their colours look (ΔE2000).

#include <cmath>
#include <numbers>

#include "gpu/compare/metrics.h"
#include "gpu/core/colour.h"
#include "gpu/core/platform.h"
#include "gpu/display/pixel.h"
#include "gpu/method/position.h"

namespace texelscope {

// Which pixels of a MeasureJob are compared, for host and device; SSIM's window and formula.

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
struct ComparedPlanes {
    ValuePlane values, reference;
    int width, height, channels, pixel_values;
    int first_row, seen_rows;
    bool selects, parts;
    MeasureJob::Selection selection;
    Interior inside;
};

inline ComparedPlanes planes_of(const MeasureJob& job) {
    return {job.values,
            job.reference,
            job.width,
            job.height,
            job.channels,
            job.pixel_values > 0 ? job.pixel_values : job.channels,
            job.first_row,
            job.seen_rows,
            job.selection.has_value(),
            job.inside.has_value(),
            job.selection.value_or(MeasureJob::Selection{}),
            job.inside.value_or(Interior{})};
}

TS_HD size_t value_index(const ComparedPlanes& p, int i, int j) {
    return (size_t(j) * size_t(p.width) + size_t(i)) * size_t(p.pixel_values);
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

// ΔE2000: how different two colours look. About 1 is just noticeable.

// CIELAB under D65: lightness 0 … 100, a from green to red, b from blue to yellow.
struct Lab {
    double l, a, b;
};

// CIE 15, of a component of XYZ as a fraction of white's.
TS_HD double lab_response(double t) {
    constexpr double d = 6.0 / 29;
    return t > d * d * d ? cbrt(t) : t / (3 * d * d) + 4.0 / 29;
}

// Lab of an sRGB colour as it is stored, 0 … 1 (IEC 61966-2-1). Greys, white included, have a = b = 0 up to rounding.
TS_HD Lab lab_of_srgb(double red, double green, double blue) {
    const double r = srgb_decoded(red), g = srgb_decoded(green), b = srgb_decoded(blue);
    // Each row of sRGB to XYZ over its sum, which is white.
    const double x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / (0.4124564 + 0.3575761 + 0.1804375);
    const double y = (0.2126729 * r + 0.7151522 * g + 0.0721750 * b) / (0.2126729 + 0.7151522 + 0.0721750);
    const double z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / (0.0193339 + 0.1191920 + 0.9503041);
    const double fx = lab_response(x), fy = lab_response(y), fz = lab_response(z);
    return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

// √(c⁷ / (c⁷ + 25⁷)): near 0 for greys, near 1 for vivid colours.
TS_HD double vividness(double chroma) {
    const double c2 = chroma * chroma, c7 = c2 * c2 * c2 * chroma;
    return sqrt(c7 / (c7 + 6103515625.0));
}

// The difference of two hues, radians in [0, 2π), on the shorter way around, and their mean on that way: equations 10
// and 14. A colour without hue leaves the other's.
struct Hues {
    double difference, mean;
};
TS_HD Hues hues_of(double h1, double h2, bool both) {
    constexpr double pi = std::numbers::pi;
    constexpr double half_circle = pi + 1e-12;  // opposite hues count as 180° apart, however they are rounded
    if (!both) return {0, h1 + h2};
    const double difference = h2 - h1, sum = h1 + h2;
    if (fabs(difference) <= half_circle) return {difference, sum / 2};
    return {difference > 0 ? difference - 2 * pi : difference + 2 * pi, sum / 2 + (sum < 2 * pi ? pi : -pi)};
}

// Sharma, Wu & Dalal 2005, The CIEDE2000 color-difference formula: implementation notes, supplementary test data, and
// mathematical observations; equations 2 to 22 with k_L = k_C = k_H = 1. Symmetric; 0 for equal colours, NaN if a
// component is.
TS_HD double delta_e_2000(const Lab& p, const Lab& q) {
    constexpr double pi = std::numbers::pi, degree = pi / 180;
    const double stretch = 1.5 - 0.5 * vividness((sqrt(p.a * p.a + p.b * p.b) + sqrt(q.a * q.a + q.b * q.b)) / 2);
    const double a1 = stretch * p.a, a2 = stretch * q.a;  // eq. 5
    const double c1 = sqrt(a1 * a1 + p.b * p.b), c2 = sqrt(a2 * a2 + q.b * q.b);
    const double angle1 = atan2(p.b, a1), angle2 = atan2(q.b, a2);
    const Hues hue = hues_of(angle1 < 0 ? angle1 + 2 * pi : angle1, angle2 < 0 ? angle2 + 2 * pi : angle2, c1 * c2 > 0);

    const double lightness = q.l - p.l, chroma = c2 - c1, turn = 2 * sqrt(c1 * c2) * sin(hue.difference / 2);
    const double mean_l = (p.l + q.l) / 2 - 50, mean_c = (c1 + c2) / 2, h = hue.mean;
    const double t = 1 - 0.17 * cos(h - 30 * degree) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6 * degree) -
                     0.20 * cos(4 * h - 63 * degree);  // eq. 15
    const double blue = (h / degree - 275) / 25;       // eq. 16
    const double s_l = 1 + 0.015 * mean_l * mean_l / sqrt(20 + mean_l * mean_l);
    const double s_c = 1 + 0.045 * mean_c, s_h = 1 + 0.015 * mean_c * t;
    const double r_t = -sin(60 * degree * exp(-blue * blue)) * 2 * vividness(mean_c);  // eqs. 17, 21
    const double dl = lightness / s_l, dc = chroma / s_c, dh = turn / s_h;
    const double squared = dl * dl + dc * dc + dh * dh + r_t * dc * dh;
    return squared < 0 ? 0 : sqrt(squared);
}

// ΔE2000 of one pixel of a ColourJob, for host and device.

// What a kernel takes by value.
struct ComparedColours {
    const float *values, *reference;
    const int* rows;
    int width, height, channels, row_count;
    bool parts;
    Interior inside;
};

inline ComparedColours planes_of(const ColourJob& job) {
    return {job.values,
            job.reference,
            job.rows,
            job.width,
            job.height,
            job.channels,
            job.row_count,
            job.inside.has_value(),
            job.inside.value_or(Interior{})};
}

TS_HD Lab lab_of_pixel(const float* v) {
    const auto level = [](float x) {
        const double value = x;
        return value < 0 ? 0.0 : value > 1 ? 1.0 : value;
    };
    return lab_of_srgb(level(v[0]), level(v[1]), level(v[2]));
}

// ΔE2000 of two pixels; NaN if one of the two colours is not finite.
TS_HD double colour_difference(const float* a, const float* r) {
    for (int c = 0; c < 3; ++c)
        if (!is_finite(a[c]) || !is_finite(r[c])) return nan("");
    return delta_e_2000(lab_of_pixel(a), lab_of_pixel(r));
}

// At pixel x of the k-th compared row.
TS_HD double colour_difference(const ComparedColours& p, int k, int x) {
    const size_t at = (size_t(p.rows[k]) * size_t(p.width) + size_t(x)) * size_t(p.channels);
    return colour_difference(p.values + at, p.reference + at);
}

TS_HD int colour_bin(double difference) {
    const double bin = difference / colour_step + 0.5;
    return bin < colour_bins ? int(bin) : colour_bins - 1;
}

}  // namespace texelscope
