#pragma once
// The two passes of resampling by long taps, pixel by pixel: the same on both backends.

#include <type_traits>

#include "gpu/core/pixel.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/long_taps.h"
#include "gpu/method/output.h"

namespace texelscope::detail {

// Σ over the taps of pixel `at`; load(index, pixel) reads sample `index` of the axis, or returns false: there is none.
template <int C, Sums in, class Load>
TS_HD Pixel<C> long_sum(const LongPass& pass, const LongTapsView& taps, int at, Load load) {
    const int first = taps.first[at];
    if constexpr (in != Sums::real) {
        using Whole = std::conditional_t<in == Sums::whole32, int32_t, int64_t>;
        Whole sums[C] = {};
        for (int k = 0; k < taps.taps; ++k) {
            const float w = taps.weight(at, k);
            Pixel<C> value;
            if (w == 0 || !load(first + k, value)) continue;
            TS_UNROLL
            for (int c = 0; c < C; ++c) sums[c] += fixed_term<Whole>(pass, w, value.v[c]);
        }
        Pixel<C> result;
        TS_UNROLL
        for (int c = 0; c < C; ++c) result.v[c] = finished_whole(pass, sums[c]);
        return result;
    } else {
        auto sum = Pixel<C>::zero();
        for (int k = 0; k < taps.taps; ++k) {
            const float w = taps.weight(at, k);
            Pixel<C> value;
            if (w != 0 && load(first + k, value)) sum.add_scaled(w, value);
        }
        TS_UNROLL
        for (int c = 0; c < C; ++c) sum.v[c] = finished(pass, sum.v[c]);
        return sum;
    }
}

// With LongPasses::straight: a sum that was multiplied by alpha, divided by it and finished; of alpha, what it lacks is.
template <int C> TS_HD Pixel<C> straight_sum(const LongPass& pass, float unit, const Pixel<C>& sum) {
    Pixel<C> result;
    const float alpha = sum.v[C - 1];
    TS_UNROLL
    for (int c = 0; c < C - 1; ++c) result.v[c] = alpha != 0 ? finished(pass, sum.v[c] / alpha * unit) : 0;
    result.v[C - 1] = unit - finished(pass, unit - alpha);
    return result;
}

// And multiplied again.
template <int C> TS_HD void multiply_by_alpha(float unit, Pixel<C>& pixel) {
    TS_UNROLL
    for (int c = 0; c < C - 1; ++c) pixel.v[c] *= pixel.v[C - 1] / unit;
}

// Pixel (i, j) between the passes, from the samples. A fixed pass reads whole numbers.
template <int C, bool y_first, Sums in, class Source>
TS_HD Pixel<C> long_pass_of_samples(const Source& source, const TexelArray& array, const LongPasses& passes,
                                    const LongTapsView& taps, int i, int j) {
    const LongPass pass = passes.straight ? LongPass{} : passes.first;
    const Pixel<C> sum = long_sum<C, in>(pass, taps, y_first ? j : i, [&](int index, Pixel<C>& value) {
        const int column = y_first ? i : addressed(array.address.x, index, array.width),
                  row = !y_first || array.one_dimensional ? j : addressed(array.address.y, index, array.height);
        if (column < 0 || row < 0) return false;
        value = source.load(column, row);
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            value.v[c] *= passes.unit;
            if (in != Sums::real || passes.whole) value.v[c] = rintf(value.v[c]);
            if constexpr (in == Sums::real) value.v[c] -= passes.fill;
        }
        return true;
    });
    return passes.straight ? straight_sum(passes.first, passes.unit, sum) : sum;
}

// Pixel (i, j) of the output from the sum of the second pass, which that has finished unless colours are straight.
template <int C>
TS_HD Pixel<C> output_pixel(const TexelArray& array, const LongPasses& passes, int i, int j, Pixel<C> sum) {
    if (passes.cell_width > 0) {
        const int across = array.width - (passes.cell_x + i) * passes.cell_width,
                  down = array.height - (passes.cell_y + j) * passes.cell_height;
        const int n = (across < passes.cell_width ? across : passes.cell_width) *
                      (down < passes.cell_height ? down : passes.cell_height);
        TS_UNROLL
        for (int c = 0; c < C; ++c) sum.v[c] = rounded_mean(sum.v[c], n);
    }
    if (passes.cut_colours) {
        TS_UNROLL
        for (int c = 0; c + 1 < C; ++c) sum.v[c] = with_whole_colour(sum.v[c], sum.v[C - 1], passes.unit);
    }
    if (passes.straight) {
        sum = straight_sum(passes.second, passes.unit, sum);
        multiply_by_alpha(passes.unit, sum);
    }
    TS_UNROLL
    for (int c = 0; c < C; ++c) sum.v[c] = (sum.v[c] + passes.fill) / passes.unit;
    return sum;
}

// Pixel (i, j) of the output; between(column, row) is a pixel between the passes.
template <int C, bool y_first, Sums in, class Between>
TS_HD Pixel<C> long_pass_of(Between between, const TexelArray& array, const LongPasses& passes,
                            const LongTapsView& taps, int i, int j) {
    const LongPass pass = passes.straight ? LongPass{} : passes.second;
    const Pixel<C> sum = long_sum<C, in>(pass, taps, y_first ? i : j, [&](int index, Pixel<C>& value) {
        const int column = y_first ? addressed(array.address.x, index, array.width) : i,
                  row = y_first                 ? j
                        : array.one_dimensional ? 0
                                                : addressed(array.address.y, index, array.height);
        if (column < 0 || row < 0) return false;
        value = between(column, row);
        if (passes.straight) multiply_by_alpha(passes.unit, value);
        return true;
    });
    return output_pixel(array, passes, i, j, sum);
}

// The same from the pixels between the passes, `width` of them in a row.
template <int C, bool y_first, Sums in>
TS_HD Pixel<C> long_pass_of_pixels(const Pixel<C>* between, int width, const TexelArray& array,
                                   const LongPasses& passes, const LongTapsView& taps, int i, int j) {
    return long_pass_of<C, y_first, in>(
        [&](int column, int row) { return between[size_t(row) * size_t(width) + size_t(column)]; }, array, passes, taps,
        i, j);
}

// Pixel (i, j) of the output, which has taps of its own: both passes, of the samples that these read.
template <int C, bool y_first, Sums first, Sums second, class Source>
TS_HD void write_point_sum(const Source& source, const ResampleJob& job, const LongPasses& passes,
                           const LongTapsView& x, const LongTapsView& y, int i, int j) {
    const int pixel = j * job.output.width + i;
    if (x.first[pixel] == taps_outside) return write_outside<C>(job, i, j);
    if (x.first[pixel] == taps_of_nan) return write_pixel(job.output, i, j, Pixel<C>::nan());
    write_pixel(job.output, i, j,
                long_pass_of<C, y_first, second>(
                    [&](int column, int row) {
                        return long_pass_of_samples<C, y_first, first>(source, job.source, passes, y_first ? y : x,
                                                                       y_first ? column : pixel, y_first ? pixel : row);
                    },
                    job.source, passes, y_first ? x : y, pixel, pixel));
}

}  // namespace texelscope::detail
