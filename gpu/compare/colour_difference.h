#pragma once
// How different two colours look: CIELAB and ΔE2000, for host and device.

#include <cmath>
#include <numbers>

#include "gpu/core/colour.h"
#include "gpu/core/platform.h"

namespace texelscope {

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

// Of a colour as it is stored.
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

// Of two colours as they are stored, clamped to 0 … 1; NaN if a component is not finite.
TS_HD double colour_difference(const float* value, const float* reference) {
    double v[2][3];
    for (int c = 0; c < 3; ++c) {
        if (!is_finite(value[c]) || !is_finite(reference[c])) return nan("");
        v[0][c] = fmin(fmax(double(value[c]), 0.0), 1.0);
        v[1][c] = fmin(fmax(double(reference[c]), 0.0), 1.0);
    }
    return delta_e_2000(lab_of_srgb(v[0][0], v[0][1], v[0][2]), lab_of_srgb(v[1][0], v[1][1], v[1][2]));
}

}  // namespace texelscope
