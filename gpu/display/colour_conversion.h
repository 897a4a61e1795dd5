#pragma once
// From the colours that an image's profile describes to those of the screen, for host and device.

#include <cmath>
#include <cstddef>

#include "gpu/core/platform.h"

namespace texelscope {

// Applied to straight values. Everything but `light` clamps them to [0, 1] first.
struct ColourConversion {
    enum class Kind {
        none,
        light,  // linear light without bounds: the matrix; when it has been toned, the root and a curve for each channel
        matrix,  // a curve for each channel, the matrix, the root, a curve for each channel
        grey,    // one channel: three curves
        table    // three channels: a lattice of colours, interpolated in tetrahedra
    };
    static constexpr int curve_size = 4096;  // values of a curve, evenly spaced from 0 to 1
    static constexpr int lattice_size = 33;  // points along each axis; red varies slowest

    Kind kind = Kind::none;
    float matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major
    // In memory of the backend. matrix: six curves, light and grey: three, table: lattice_size³ times red, green, blue.
    const float* values = nullptr;

    static constexpr size_t value_count(Kind kind) {
        switch (kind) {
            case Kind::matrix: return 6 * size_t(curve_size);
            case Kind::light:
            case Kind::grey: return 3 * size_t(curve_size);
            case Kind::table: return 3 * size_t(lattice_size) * lattice_size * lattice_size;
            case Kind::none: break;
        }
        return 0;
    }
};

namespace detail {

// Position of a value among n evenly spaced ones: index of the lower neighbour, and the fraction. NaN: the first.
TS_HD int place_among(int n, float v, float& fraction) {
    const float at = fminf(fmaxf(v, 0.0f), 1.0f) * float(n - 1);
    const int below = at < float(n - 2) ? int(at) : n - 2;
    fraction = at - float(below);
    return below;
}

TS_HD float on_curve(const float* curve, float v) {
    float t;
    const int i = place_among(ColourConversion::curve_size, v, t);
    return curve[i] + t * (curve[i + 1] - curve[i]);
}

// Three curves over the root of light, which spreads the dark values.
TS_HD void code_light(const float* curves, float (&v)[3]) {
    for (int c = 0; c < 3; ++c) v[c] = on_curve(curves + c * ColourConversion::curve_size, sqrtf(fmaxf(v[c], 0.0f)));
}

TS_HD void by_matrix(const float* m, float (&v)[3]) {
    const float r = v[0], g = v[1], b = v[2];
    for (int c = 0; c < 3; ++c) v[c] = m[3 * c] * r + m[3 * c + 1] * g + m[3 * c + 2] * b;
}

// From the corner below, along the axes in the order of their fractions, to the corner above.
TS_HD void by_lattice(const float* lattice, float (&v)[3]) {
    constexpr int n = ColourConversion::lattice_size;
    float t[3];
    int step[3] = {3 * n * n, 3 * n, 3};
    int at = 0;
    for (int c = 0; c < 3; ++c) at += step[c] * place_among(n, v[c], t[c]);
    const auto order = [&](int a, int b) {
        if (t[a] >= t[b]) return;
        const float fraction = t[a];
        t[a] = t[b], t[b] = fraction;
        const int along = step[a];
        step[a] = step[b], step[b] = along;
    };
    order(0, 1), order(1, 2), order(0, 1);
    const float weights[4] = {1 - t[0], t[0] - t[1], t[1] - t[2], t[2]};
    float sum[3] = {0, 0, 0};
    for (int corner = 0; corner < 4; ++corner) {
        for (int c = 0; c < 3; ++c) sum[c] += weights[corner] * lattice[at + c];
        if (corner < 3) at += step[corner];
    }
    for (int c = 0; c < 3; ++c) v[c] = sum[c];
}

}  // namespace detail

// A straight colour, in place; one channel is given three times. Linear light stays that until code_colour.
TS_HD void convert_colour(const ColourConversion& conversion, float (&v)[3]) {
    constexpr int n = ColourConversion::curve_size;
    switch (conversion.kind) {
        case ColourConversion::Kind::none: return;
        case ColourConversion::Kind::light: return detail::by_matrix(conversion.matrix, v);
        case ColourConversion::Kind::matrix:
            for (int c = 0; c < 3; ++c) v[c] = detail::on_curve(conversion.values + c * n, v[c]);
            detail::by_matrix(conversion.matrix, v);
            return detail::code_light(conversion.values + 3 * n, v);
        case ColourConversion::Kind::grey:
            for (int c = 0; c < 3; ++c) v[c] = detail::on_curve(conversion.values + c * n, v[c]);
            return;
        case ColourConversion::Kind::table: return detail::by_lattice(conversion.values, v);
    }
}

// What convert_colour has left as linear light becomes the screen's values, in place.
TS_HD void code_colour(const ColourConversion& conversion, float (&v)[3]) {
    if (conversion.kind == ColourConversion::Kind::light) detail::code_light(conversion.values, v);
}

}  // namespace texelscope
