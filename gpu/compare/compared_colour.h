#pragma once
// ΔE2000 of one pixel of a ColourJob, for host and device.

#include "gpu/compare/colours.h"
#include "gpu/compare/delta_e.h"
#include "gpu/display/pixel.h"

namespace texelscope {

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

// Of pixel x of the k-th compared row; NaN if one of the two colours is not finite.
TS_HD double colour_difference(const ComparedColours& p, int k, int x) {
    const size_t at = (size_t(p.rows[k]) * size_t(p.width) + size_t(x)) * size_t(p.channels);
    const float *a = p.values + at, *r = p.reference + at;
    for (int c = 0; c < 3; ++c)
        if (!is_finite(a[c]) || !is_finite(r[c])) return nan("");
    return delta_e_2000(lab_of_pixel(a), lab_of_pixel(r));
}

TS_HD int colour_bin(double difference) {
    const double bin = difference / colour_step + 0.5;
    return bin < colour_bins ? int(bin) : colour_bins - 1;
}

}  // namespace texelscope
