#pragma once
// What is compared of two pixels: how different colours look; their errors; SSIM's window and formula; and what maps of errors
// have of each.

#include <cmath>
#include <numbers>

#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/colour.h"
#include "gpu/core/platform.h"
#include "gpu/display/pixel.h"
#include "gpu/method/position.h"

namespace texelscope {

// How different two colours look: CIELAB and ΔE2000, for host and device.

// CIELAB under D65: lightness 0 … 100, a from green to red, b from blue to yellow.
struct Lab {
    double l, a, b;
};

// CIE 15, of a component of XYZ as a fraction of white's.
TS_HD double lab_response(double t) {
    constexpr double d = 6.0 / 29;
    return t > d * d * d ? cbrt(t) : t / (3 * d * d) + 4.0 / 29;
}

// Lab of linear sRGB, 0 … 1 (IEC 61966-2-1). Greys, white included, have a = b = 0 up to rounding.
TS_HD Lab lab_of_linear(double r, double g, double b) {
    // Each row of sRGB to XYZ over its sum, which is white.
    const double x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / (0.4124564 + 0.3575761 + 0.1804375);
    const double y = (0.2126729 * r + 0.7151522 * g + 0.0721750 * b) / (0.2126729 + 0.7151522 + 0.0721750);
    const double z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / (0.0193339 + 0.1191920 + 0.9503041);
    const double fx = lab_response(x), fy = lab_response(y), fz = lab_response(z);
    return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

// CIELab of a colour as it is stored.
TS_HD Lab lab_of_srgb(double r, double g, double b) {
    return lab_of_linear(srgb_decoded(r), srgb_decoded(g), srgb_decoded(b));
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

// ΔE2000; about 1 is just noticeable. Sharma, Wu & Dalal 2005, The CIEDE2000 color-difference formula: implementation notes, supplementary test data, and
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

// One pixel of an ErrorMapJob that is computed by itself: differences of values, ΔE2000, and gradients.

TS_HD bool compares(const ErrorMapJob& p, size_t index) {
    for (int c = 0; c < p.channels; ++c)
        if (!is_finite(plane_value(p.values, index + size_t(c))) ||
            !is_finite(plane_value(p.reference, index + size_t(c))))
            return false;
    return true;
}

// Differences of values: those of pixel x of the map's k-th row, `channels` numbers.
TS_HD void write_difference(const ErrorMapJob& p, int x, int k, float* map) {
    const size_t at = value_index(p, x, p.rows ? p.rows[k] : k);
    float* to = map + (size_t(k) * size_t(p.width) + size_t(x)) * size_t(p.channels);
    for (int c = 0; c < p.channels; ++c)
        to[c] = float(
            difference_of(p.kind, plane_value(p.values, at + size_t(c)), plane_value(p.reference, at + size_t(c))));
}

// A pixel's colour as it is; grey three times.
template <class T> TS_HD void read_colour(const ErrorMapJob& p, const ValuePlane& plane, size_t index, T (&rgb)[3]) {
    for (int c = 0; c < 3; ++c) rgb[c] = T(plane_value(plane, index + size_t(p.colours == 3 ? c : 0)));
}

// Within what a screen shows.
TS_HD void read_compared_colour(const ErrorMapJob& p, const ValuePlane& plane, size_t index, double (&rgb)[3]) {
    read_colour(p, plane, index, rgb);
    for (double& each : rgb) each = each < 0 ? 0.0 : each > 1 ? 1.0 : each;
}

TS_HD Lab lab_of_pixel(const ErrorMapJob& p, const ValuePlane& plane, size_t index) {
    double v[3];
    read_compared_colour(p, plane, index, v);
    return p.linear ? lab_of_linear(v[0], v[1], v[2]) : lab_of_srgb(v[0], v[1], v[2]);
}

// ΔE2000 at pixel x of the map's k-th row; NaN if it is not compared.
TS_HD double colour_difference(const ErrorMapJob& p, int k, int x) {
    const size_t at = value_index(p, x, p.rows ? p.rows[k] : k);
    if (!compares(p, at)) return nan("");
    return delta_e_2000(lab_of_pixel(p, p.values, at), lab_of_pixel(p, p.reference, at));
}

// Gradients, of means of 2×2 pixels: Xue, Zhang, Mou & Bovik 2014, Gradient Magnitude Similarity Deviation: A Highly Efficient
// Perceptual Image Quality Index. Prewitt's operator; grey as MATLAB's rgb2gray, whose values there are 0 … 255.

// Grey of the mean of a block's pixels; NaN if one is not compared.
TS_HD double block_grey(const ErrorMapJob& p, const ValuePlane& plane, int block_x, int block_y) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        const size_t at = value_index(p, 2 * block_x + k % 2, 2 * block_y + k / 2);
        if (!compares(p, at)) return nan("");
        double v[3];
        read_colour(p, plane, at, v);
        sum += 0.298936021293775 * v[0] + 0.587043074451121 * v[1] + 0.114020904255103 * v[2];
    }
    return sum / (4 * p.peak);
}

TS_HD double gradient_magnitude(const double (&grey)[9]) {
    const double across = (grey[0] + grey[3] + grey[6] - grey[2] - grey[5] - grey[8]) / 3;
    const double down = (grey[0] + grey[1] + grey[2] - grey[6] - grey[7] - grey[8]) / 3;
    return sqrt(across * across + down * down);
}

// 1 − similarity around a block of 2×2 pixels; NaN beside the edges, which no 3×3 blocks surround.
TS_HD double gradient_difference(const ErrorMapJob& p, int block_x, int block_y) {
    const int across = p.width / 2, down = p.height / 2;
    if (block_x < 1 || block_y < 1 || block_x >= across - 1 || block_y >= down - 1) return nan("");
    double a[9], r[9];
    for (int k = 0; k < 9; ++k) {
        a[k] = block_grey(p, p.values, block_x + k % 3 - 1, block_y + k / 3 - 1);
        r[k] = block_grey(p, p.reference, block_x + k % 3 - 1, block_y + k / 3 - 1);
    }
    constexpr double t = 170 / (255.0 * 255.0);  // of section II
    const double m = gradient_magnitude(a), d = gradient_magnitude(r);
    return 1 - (2 * m * d + t) / (m * m + d * d + t);
}

TS_HD int map_bin(double value, double step) {
    const double bin = value / step + 0.5;
    return !(bin > 0) ? 0 : bin < map_bins ? int(bin) : map_bins - 1;
}

}  // namespace texelscope
