#pragma once
// What a comparison adds up, on host and device: metrics_of() computes the figures from it.

#include "gpu/core/platform.h"

namespace texelscope {

// A pixel of a MeasureJob: requested, and finite on both sides.
enum class Compared : unsigned char { no, left_out, yes };

// Sums over a part of the pixels; parts are joined in a fixed order. Of equal errors the first pixel counts.
struct ErrorSums {
    double squares = 0, largest = -1;
    long long worst = -1;  // row · width + column
    long long pixels = 0, left_out = 0;

    // A pixel's squared errors, and its largest one.
    TS_HD void add(double squared, double error, long long pixel) {
        squares += squared;
        ++pixels;
        if (error > largest) largest = error, worst = pixel;
    }
    TS_HD void join(const ErrorSums& other) {
        squares += other.squares;
        pixels += other.pixels;
        left_out += other.left_out;
        if (other.largest > largest || (other.largest == largest && other.worst >= 0 && other.worst < worst))
            largest = other.largest, worst = other.worst;
    }
};

struct SsimSums {
    double ssim = 0;
    long long windows = 0;  // each channel's separately

    TS_HD void join(const SsimSums& other) {
        ssim += other.ssim;
        windows += other.windows;
    }
};

// Two of each: over all, and over the part inside (MeasureJob::inside), otherwise empty.
struct BothErrors {
    ErrorSums all, inside;

    TS_HD void join(const BothErrors& other) {
        all.join(other.all);
        inside.join(other.inside);
    }
};
struct BothSsim {
    SsimSums all, inside;

    TS_HD void join(const BothSsim& other) {
        all.join(other.all);
        inside.join(other.inside);
    }
};

// For a whole comparison or a band of it, as it leaves the backend.
struct ComparisonSums {
    BothErrors errors;
    BothSsim ssim;

    TS_HD void join(const ComparisonSums& other) {
        errors.join(other.errors);
        ssim.join(other.ssim);
    }
};

}  // namespace texelscope
