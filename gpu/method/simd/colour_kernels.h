#pragma once
// ΔE2000 of many colours: gpu/compare/compared_pixel.h, which explains it, in vectors of float64. Included once for each set
// of instructions.

#include "gpu/method/simd/filter_kernels.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

using Single = float __attribute__((vector_size(doubles * sizeof(float))));  // as many lanes as D
using Whole = int32_t __attribute__((vector_size(doubles * sizeof(float))));

template <int count> D polynomial(D x, const double (&c)[count]) {
    D sum = all_of(c[count - 1]);
    for (int k = count - 2; k >= 0; --k) sum = fused(sum, x, all_of(c[k]));
    return sum;
}

// The n-th root of numbers above 1e-30 to 1e-12: a guess from the bits of float32, Newton's method three times in float32 and
// once in float64.
template <int n> D root(D v) {
    const Single f = __builtin_convertvector(v, Single);
    constexpr float one = 127 * 8388608.0f;  // the bits of 1
    const Single bits = __builtin_convertvector((Whole)f, Single) * (1.0f / n) + one * (1 - 1.0f / n);
    Single y = (Single) __builtin_convertvector(bits, Whole);
    const auto power = [](auto of) {  // n − 1
        auto p = of;
        for (int k = 2; k < n; ++k) p *= of;
        return p;
    };
    for (int k = 0; k < 3; ++k) y = y * (1 - 1.0f / n) + f / (power(y) * float(n));
    const D z = __builtin_convertvector(y, D), p = power(z);
    return z - (p * z - v) / (p * all_of(n));
}

// e^x for −60 ≤ x ≤ 0, to 1e-12.
inline D exponential(D x) {
    constexpr double c[] = {1.0000000000000684,     0.69314718055997404,    0.24022650695623521,
                            0.055504108662944106,   0.0096181291981538523,  0.0013333558484538599,
                            0.00015403430535340068, 1.5252500825083137e-05, 1.3260388953471218e-06,
                            1.0240206723643781e-07};  // 2^x on [−½, ½]
    const D t = x * all_of(1.4426950408889634);
    const Whole whole = __builtin_convertvector(t - all_of(0.5), Whole);  // to zero: upwards, since t < 0
    const Single power = (Single)((whole + 127) << 23);
    return polynomial(t - __builtin_convertvector(whole, D), c) * __builtin_convertvector(power, D);
}

// sin x for 0 ≤ x ≤ π/3, to 1e-12.
inline D sine(D x) {
    constexpr double c[] = {1.0000000000000495,      -0.16666666666673341,   0.0083333333341017741,
                            -0.00019841270152773564, 2.7557372067263123e-06, -2.5055369813522964e-08,
                            1.6021563537658533e-10};
    return x * polynomial(x * x, c);
}

inline D absolute(D x) { return x < 0 ? -x : x; }

// The angle of a direction, −π … π, to 1e-12.
inline D angle_of(D x, D y) {
    constexpr double c[] = {1.0000000000000508,  -0.33333333333101667,  0.19999999957736786,  -0.14285711308627508,
                            0.11111004820555349, -0.090887301664677733, 0.076650481512592378, -0.064537356615500821,
                            0.04852024270907411, -0.022945444484674726};  // arctan √z / √z up to arctan = π/8
    constexpr double pi = 3.141592653589793, eighth = 0.41421356237309503;
    const D u = absolute(x), v = absolute(y), low = u < v ? u : v, high = u < v ? v : u;
    const D steep = high > 0 ? low / high : D{};
    const D turned = (steep - 1) / (steep + 1);  // by −π/4
    const D t = steep > eighth ? turned : steep;
    D angle = t * polynomial(t * t, c) + (steep > eighth ? all_of(pi / 4) : D{});
    angle = u < v ? pi / 2 - angle : angle;
    angle = x < 0 ? pi - angle : angle;
    return y < 0 ? -angle : angle;
}

struct LabColours {
    D l, a, b;
};

inline D light_of(D coded) {
    const D v = (coded + 0.055) / 1.055, fifth = root<5>(v);
    return coded > 0.04045 ? v * v * fifth * fifth : coded / 12.92;
}

inline D lab_response_of(D t) {
    constexpr double d = 6.0 / 29;
    return t > d * d * d ? root<3>(t) : t / (3 * d * d) + 4.0 / 29;
}

inline LabColours lab_colours(const double* const* rgb, int n, bool linear) {
    D v[3];
    for (int c = 0; c < 3; ++c) {
        __builtin_memcpy(&v[c], rgb[c] + n, sizeof v[c]);
        if (!linear) v[c] = light_of(v[c]);
    }
    const D x = (0.4124564 * v[0] + 0.3575761 * v[1] + 0.1804375 * v[2]) / (0.4124564 + 0.3575761 + 0.1804375);
    const D y = (0.2126729 * v[0] + 0.7151522 * v[1] + 0.0721750 * v[2]) / (0.2126729 + 0.7151522 + 0.0721750);
    const D z = (0.0193339 * v[0] + 0.1191920 * v[1] + 0.9503041 * v[2]) / (0.0193339 + 0.1191920 + 0.9503041);
    const D fx = lab_response_of(x), fy = lab_response_of(y), fz = lab_response_of(z);
    return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

inline D vividness_of(D chroma) {
    const D c2 = chroma * chroma, c7 = c2 * c2 * c2 * chroma;
    return square_root(c7 / (c7 + 6103515625.0));
}

// The mean of two hues on the shorter way around, as a direction, and the sine of half the way from the first to the second. A
// colour without hue leaves the other's; opposite hues count as 180° apart, however they are rounded.
struct MeanHue {
    D cosine, sine, half_turn;
};
inline MeanHue mean_hue(D a1, D b1, D c1, D a2, D b2, D c2) {
    const D zero = {}, one = all_of(1);
    const D x1 = c1 > 0 ? a1 / c1 : zero, y1 = c1 > 0 ? b1 / c1 : zero, x2 = c2 > 0 ? a2 / c2 : zero,
            y2 = c2 > 0 ? b2 / c2 : zero;
    const D x = x1 + x2, y = y1 + y2, length = square_root(x * x + y * y);  // 2·cos(half the way)
    const D way = (y1 > 0 ? one : y1 < 0 ? -one : x1 > 0 ? one : -one);     // from the smaller angle
    MeanHue mean{x / length, y / length, (x1 * y2 - y1 * x2) / length};
    const auto opposite = length < 1e-12;
    mean = {opposite ? -way * y1 : mean.cosine, opposite ? way * x1 : mean.sine, opposite ? way : mean.half_turn};
    const auto without = c1 * c2 > 0;
    return {c1 > 0 ? mean.cosine : c2 > 0 ? x2 : one, c1 > 0 ? mean.sine : y2, without ? mean.half_turn : zero};
}

inline D delta_e_of(const LabColours& p, const LabColours& q) {
    constexpr double degree = 0.017453292519943295;
    const D stretch =
        1.5 - 0.5 * vividness_of((square_root(p.a * p.a + p.b * p.b) + square_root(q.a * q.a + q.b * q.b)) / 2);
    const D a1 = stretch * p.a, a2 = stretch * q.a;  // eq. 5
    const D c1 = square_root(a1 * a1 + p.b * p.b), c2 = square_root(a2 * a2 + q.b * q.b);
    const MeanHue hue = mean_hue(a1, p.b, c1, a2, q.b, c2);
    const D cos1 = hue.cosine, sin1 = hue.sine, cos2 = cos1 * cos1 - sin1 * sin1, sin2 = 2 * cos1 * sin1,
            cos3 = cos2 * cos1 - sin2 * sin1, sin3 = sin2 * cos1 + cos2 * sin1, cos4 = cos2 * cos2 - sin2 * sin2,
            sin4 = 2 * cos2 * sin2;
    constexpr double cos30 = 0.86602540378443865, cos6 = 0.99452189536827333, sin6 = 0.10452846326765347,
                     cos63 = 0.45399049973954675, sin63 = 0.89100652418836786;
    const D t = 1 - 0.17 * (cos1 * cos30 + sin1 * 0.5) + 0.24 * cos2 + 0.32 * (cos3 * cos6 - sin3 * sin6) -
                0.20 * (cos4 * cos63 + sin4 * sin63);  // eq. 15
    const D angle = angle_of(cos1, sin1) / degree, h = angle < -1e-10 ? angle + 360 : angle;
    const D blue = (h - 275) / 25;  // eq. 16
    const D mean_l = (p.l + q.l) / 2 - 50, mean_c = (c1 + c2) / 2;
    const D s_l = 1 + 0.015 * mean_l * mean_l / square_root(20 + mean_l * mean_l);
    const D s_c = 1 + 0.045 * mean_c, s_h = 1 + 0.015 * mean_c * t;
    const D square = blue * blue;
    const D bell = square < 60 ? exponential(square < 60 ? -square : D{}) : D{};
    const D r_t = -sine(60 * degree * bell) * 2 * vividness_of(mean_c);  // eqs. 17, 21
    const D dl = (q.l - p.l) / s_l, dc = (c2 - c1) / s_c, dh = 2 * square_root(c1 * c2) * hue.half_turn / s_h;
    const D squared = dl * dl + dc * dc + dh * dh + r_t * dc * dh;
    return square_root(squared > 0 ? squared : D{});
}

void colour_differences(const double* const* colours, bool linear, int count, float* differences) {
    for (int n = 0; n < count; n += doubles)
        store_floats(differences + n, delta_e_of(lab_colours(colours, n, linear), lab_colours(colours + 3, n, linear)));
}

}  // namespace
}  // namespace texelscope::simd
