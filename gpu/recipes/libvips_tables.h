#pragma once
// The taps of libvips along an axis, as its operations compute them.

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "gpu/recipes/recipe.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope::libvips {

inline constexpr int phases = 64, weight_bits = 12;

enum class Kernel { nearest, linear, cubic, mitchell, lanczos2, lanczos3, mks2013, mks2021 };

// Debian 12's libvips 8.14, whose vector code weighs rows of 8 bits by integers of 1/64; and 8.18 with Highway.
enum class Version { v8_14, v8_18 };

inline double cubic_weight(double distance, double b, double c) {
    const double x = std::abs(distance), x2 = x * x, x3 = x2 * x;
    if (x <= 1) return ((12 - 9 * b - 6 * c) * x3 + (-18 + 12 * b + 6 * c) * x2 + (6 - 2 * b)) / 6;
    if (x <= 2) return ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6;
    return 0;
}

inline double sinc(double x) { return x == 0 ? 1 : std::sin(M_PI * x) / (M_PI * x); }

inline double lanczos_weight(double x, int lobes) { return std::abs(x) > lobes ? 0 : sinc(x) * sinc(x / lobes); }

inline double mks2013_weight(double distance) {
    const double x = std::abs(distance);
    if (x >= 2.5) return 0;
    if (x >= 1.5) return (x - 2.5) * (x - 2.5) / -8;
    if (x >= 0.5) return (4 * x * x - 11 * x + 7) / 4;
    return 17.0 / 16 - 7 * x * x / 4;
}

inline double mks2021_weight(double distance) {
    const double x = std::abs(distance);
    if (x >= 4.5) return 0;
    if (x >= 3.5) return (4 * x * x - 36 * x + 81) / -1152;
    if (x >= 2.5) return (4 * x * x - 27 * x + 45) / 144;
    if (x >= 1.5) return (24 * x * x - 113 * x + 130) / -144;
    if (x >= 0.5) return (140 * x * x - 379 * x + 239) / 144;
    return 577.0 / 576 - 239 * x * x / 144;
}

inline double weight_of(Kernel kernel, double x) {
    switch (kernel) {
        case Kernel::nearest: return 1;
        case Kernel::linear: return std::max(0.0, 1 - std::abs(x));
        case Kernel::cubic: return cubic_weight(x, 0, 0.5);
        case Kernel::mitchell: return cubic_weight(x, 1.0 / 3, 1.0 / 3);
        case Kernel::lanczos2: return lanczos_weight(x, 2);
        case Kernel::lanczos3: return lanczos_weight(x, 3);
        case Kernel::mks2013: return mks2013_weight(x);
        case Kernel::mks2021: return mks2021_weight(x);
    }
    return 0;
}

inline int radius_of(Kernel kernel) {
    switch (kernel) {
        case Kernel::nearest: return 0;
        case Kernel::linear: return 1;
        case Kernel::cubic:
        case Kernel::mitchell:
        case Kernel::lanczos2: return 2;
        case Kernel::lanczos3:
        case Kernel::mks2013: return 3;
        case Kernel::mks2021: return 5;
    }
    return 0;
}

// The kernel as an ingredient.
inline std::string words_of(Kernel kernel) {
    switch (kernel) {
        case Kernel::nearest: return "nearest";
        case Kernel::linear: return "bilinear";
        case Kernel::cubic: return "catmull-rom";
        case Kernel::mitchell: return "mitchell";
        case Kernel::lanczos2: return "radius = 2\nw(x) = sinc(x)*sinc(x/2)\n";
        case Kernel::lanczos3: return "radius = 3\nw(x) = sinc(x)*sinc(x/3)\n";
        case Kernel::mks2013:
            return "radius = 2.5\nw(x) = abs(x) >= 1.5 ? (abs(x)-2.5)^2/-8 : abs(x) >= 0.5 ? (4*x^2-11*abs(x)+7)/4 : "
                   "17/16-7*x^2/4\n";
        case Kernel::mks2021:
            return "radius = 4.5\nw(x) = abs(x) >= 3.5 ? (4*x^2-36*abs(x)+81)/-1152 : "
                   "abs(x) >= 2.5 ? (4*x^2-27*abs(x)+45)/144 : abs(x) >= 1.5 ? (24*x^2-113*abs(x)+130)/-144 : "
                   "abs(x) >= 0.5 ? (140*x^2-379*abs(x)+239)/144 : 577/576-239*x^2/144\n";
    }
    return "";
}

// A position rounded to 1/64: the sample before, and how many 64ths follow, which may be all of them.
struct Phase {
    int sample, part;

    explicit Phase(double position)
        : sample(int(position)), part(((int(position * phases * 2) & (phases * 2 - 1)) + 1) >> 1) {}
};

// Integers of 1/64 that sum to 64: the weights times a number that bisection finds, and what is left shared out from
// the first on.
inline void share_out(std::span<double> weights) {
    const std::vector<double> exact(weights.begin(), weights.end());
    const int count = int(weights.size());
    double all = 0;
    for (const double w : exact) all += w;
    const int target = int(std::nearbyint(all * 64));
    double low = 64 - (count + 1) / 2, high = 64 + (count + 1) / 2;
    int sum = 0;
    do {
        const double scale = (low + high) / 2;
        sum = 0;
        for (int i = 0; i < count; ++i) sum += int(weights[size_t(i)] = std::nearbyint(exact[size_t(i)] * scale));
        if (sum == target) return;
        (sum < target ? low : high) = scale;
    } while (high - low > 0.01);
    for (double& w : weights) w += (target - sum) / count;
    const int extra = (target - sum) % count;
    for (int i = 0; i < std::abs(extra); ++i) weights[size_t(i)] += extra > 0 ? 1 : -1;
}

// Parameters: samples per pixel, how many samples more than there are these pixels cover, and after how many pixels
// steps are no longer added up but begin anew: it decides ties.
template <Kernel kernel> LongTaps reduce_table(const Rule& rule, const ResizedAxis& axis) {
    const double step = rule.table.parameters[0], extra = rule.table.parameters[1];
    const int reach = int(std::nearbyint(radius_of(kernel) * step)), taps = 2 * reach + 1;
    const int strip = int(rule.table.parameters[2]);
    double position = 0;
    std::vector<double> exact(static_cast<size_t>(taps));
    return tap_table(axis, taps, [&](int i, std::span<float> weights) {
        if (i == 0 || (strip > 0 && i % strip == 0)) position = (i + 0.5) * step - 0.5 - ((1 + extra) / 2 - 1);
        const Phase phase(position);
        position += step;
        if (kernel == Kernel::nearest) {
            weights[0] = 1;
            return phase.sample;
        }
        const double centre = double(phase.part) / phases + taps / 2.0 - 1;
        double sum = 0;
        for (int k = 0; k < taps; ++k) sum += exact[size_t(k)] = weight_of(kernel, (k - centre) / step);
        for (double& w : exact) w /= sum;
        if (rule.bits == 6) share_out(exact);
        else if (rule.bits > 0)
            for (double& w : exact) w = std::trunc(std::ldexp(w, rule.bits));
        std::copy(exact.begin(), exact.end(), weights.begin());
        return phase.sample - reach;
    });
}

// Parameters: samples per pixel, and the weight of each.
inline LongTaps block_table(const Rule& rule, const ResizedAxis& axis) {
    const int block = int(rule.table.parameters[0]);
    return tap_table(axis, block, [&](int i, std::span<float> weights) {
        std::fill(weights.begin(), weights.end(), float(rule.table.parameters[1]));
        return i * block;
    });
}

// Every parameters[0]-th sample; each sample that often.
inline LongTaps subsample_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 1, [&](int i, std::span<float> weights) {
        weights[0] = 1;
        return i * int(rule.table.parameters[0]);
    });
}
inline LongTaps zoom_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 1, [&](int i, std::span<float> weights) {
        weights[0] = 1;
        return i / int(rule.table.parameters[0]);
    });
}

// Enlarging. Parameters: samples per pixel, how many samples before its place a pixel reads, and whether positions are
// added up.
template <Kernel kernel> LongTaps affine_table(const Rule& rule, const ResizedAxis& axis) {
    constexpr int taps = kernel == Kernel::nearest ? 1 : kernel == Kernel::linear ? 2 : 4, before = taps == 4 ? 1 : 0;
    const double step = rule.table.parameters[0], origin = -(rule.table.parameters[1] - 1) + before;
    double added = origin;
    return tap_table(axis, taps, [&](int i, std::span<float> weights) {
        const double position = rule.table.parameters[2] != 0 ? added : step * i + origin;
        added += step;
        const int sample = int(std::floor(position));
        weights[0] = 1;
        if constexpr (taps == 2) {
            const double fraction =
                rule.bits > 0 ? std::trunc(std::ldexp(position - sample, rule.bits)) : position - sample;
            weights[0] = float(std::ldexp(1.0, rule.bits) - fraction);
            weights[1] = float(fraction);
        } else if constexpr (taps == 4) {
            const double x = double(Phase(position).part) / phases;
            for (int k = 0; k < 4; ++k) {
                const double w = std::ldexp(cubic_weight(k - 1 - x, 0, 0.5), rule.bits);
                weights[size_t(k)] = float(rule.bits > 0 ? std::trunc(w) : w);
            }
        }
        return sample - 2 * before - 1;
    });
}

}  // namespace texelscope::libvips
