#pragma once
// What Backend::minus and Backend::add_border compute (see border.h), the same on both backends.

#include "gpu/backend/border.h"
#include "gpu/core/platform.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/tap_source.h"

namespace texelscope {

// One rendering: `job` with the target as its output.
struct BorderJob {
    ResampleJob job;
    BorderTerm term;
};

template <int C> TS_HD void write_with_border(const BorderJob& border, int i, int j) {
    const ResampleJob& job = border.job;
    const int channels = job.output.channels;
    if (job.outside == Outside::background && is_outside(job, position_of(job, i, j)))
        return write_background<C>(job.output, i, j);
    const float* const values = reinterpret_cast<const float*>(reinterpret_cast<const char*>(border.term.values) +
                                                               size_t(j) * border.term.row_bytes) +
                                size_t(i) * size_t(channels);
    const float sum =
        border.term.weights ? border.term.weights[size_t(j) * size_t(job.output.width) + size_t(i)] : 1.0f;
    auto p = Pixel<C>::zero();
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (c < channels) p.v[c] = values[c] + sum * border.term.border.v[c];
    write_pixel(job.output, i, j, p);
}

// Calls visit.template operator()<C>() for the channels that the job's pixels are computed with.
template <class Visit> void for_border_channels(const BorderJob& border, Visit visit) {
    switch (pixel_channels(border.job.output.channels)) {
        case 1: return visit.template operator()<1>();
        case 2: return visit.template operator()<2>();
        default: return visit.template operator()<4>();
    }
}

// An image minus a pixel.
struct MinusJob {
    TexelArray samples;
    TexelArray difference;   // f32, three channels padded
    void* texels = nullptr;  // of it
    BorderPixel border;
};

template <class Sample, int C> TS_HD void write_difference(const MinusJob& job, int x, int y) {
    const char* const line = static_cast<const char*>(job.samples.texels) + size_t(y) * job.samples.row_bytes;
    Pixel<pixel_channels(C)> p = LinearSource<Sample, C>::texel(line, x);
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] -= job.border.v[c];
    char* const to = static_cast<char*>(job.texels) + size_t(y) * job.difference.row_bytes;
    reinterpret_cast<Pixel<pixel_channels(C)>*>(to)[x] = p;
}

}  // namespace texelscope
