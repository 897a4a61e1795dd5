#pragma once
// Resampling along the axes, one after the other, by taps of any length, and what is done to the sums between and after.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "gpu/core/machine.h"
#include "gpu/core/pixel.h"
#include "gpu/core/platform.h"
#include "gpu/core/rounding.h"
#include "gpu/core/timing.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/output.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

namespace work {
inline constexpr WorkName long_rows{"interpolation, long rows"}, long_columns{"interpolation, long columns"};
}

// For each pixel along an axis, the samples that it is a weighted sum of: `taps` from first[i] on, which may be beyond the
// edges; weights[i · taps + k].
struct LongTaps {
    int taps = 1;
    std::vector<int> first;
    std::vector<float> weights;
    int pixels() const { return int(first.size()); }
    bool operator==(const LongTaps&) const = default;

    // The largest sum of a pixel's weights without their signs.
    double largest_sum() const {
        double largest = 0;
        for (size_t begin = 0; begin < weights.size(); begin += size_t(taps)) {
            double sum = 0;
            for (size_t k = begin; k < begin + size_t(taps); ++k) sum += std::abs(double(weights[k]));
            largest = std::max(largest, sum);
        }
        return largest;
    }
};

// Whether each pixel is one sample, unchanged.
template <class Taps> bool are_copies(const Taps& taps) {
    return taps.taps == 1 && std::all_of(taps.weights.begin(), taps.weights.end(), [](float w) { return w == 1; });
}

// How a pass adds up, and what it makes of the sums. Real: Σ w·v in float32, then rounded, cut and clipped. Fixed: weights and
// values are whole numbers, and the sum of (w · (v >> value_shift)) >> product_shift, plus `add`, is shifted by `shift` and
// clipped.
struct LongPass {
    bool fixed = false;
    int value_shift = 0, product_shift = 0, shift = 0;
    int64_t add = 0;
    float scale = 1;                  // of real sums, before they are rounded
    Rounding round = Rounding::none;  // of real sums
    float multiple = 0;               // of which rounded sums are cut down to a multiple; 0: none
    bool clipped = false;
    float low = 0, high = 1;
    bool within_samples = false;  // low and high will be the image's extremes
    bool operator==(const LongPass&) const = default;

    TS_HD bool plain() const { return !fixed && scale == 1 && round == Rounding::none && !clipped && !within_samples; }
};

struct LongPasses {
    bool y_first = false;
    bool any_order = false;  // of plain passes: whichever is faster; they are rounded differently
    float unit = 1;      // values are multiplied by this before the first pass, and divided after the second: 255, say
    bool whole = false;  // after which they are rounded; fixed passes need that
    bool straight =
        false;       // colours are divided by alpha, the last channel, after each real pass, and finished as such
    float fill = 0;  // what is beyond a border, and pixels without taps: taken from all values before, added after
    bool cut_colours =
        false;  // the last channel is alpha: at last colours, divided by it, are cut down to whole numbers
    // Cells of so many samples, counted from the image's corner, fewer at its end: sums of levels in them become means, as Pillow
    // rounds them. And the cell that is the first pixel. 0: none.
    int cell_width = 0, cell_height = 0, cell_x = 0, cell_y = 0;
    LongPass first{}, second{};
    bool operator==(const LongPasses&) const = default;

    // Then the order of the axes makes no difference beyond rounding.
    bool plain() const {
        return first.plain() && second.plain() && !whole && !straight && fill == 0 && !cut_colours && cell_width == 0;
    }
};

// A real sum as the pass leaves it: in float32, or in float64 for references.
template <class Real> TS_HD Real finished(const LongPass& pass, Real sum) {
    sum = rounded(sum * Real(pass.scale), pass.round);
    const Real multiple = Real(pass.multiple), low = Real(pass.low), high = Real(pass.high);
    if (multiple > 0) sum = std::floor(sum / multiple) * multiple;
    if (pass.clipped) sum = sum < low ? low : sum > high ? high : sum;  // NaN stays
    return sum;
}

// The mean of n whole numbers by their sum: half up if n is a power of two, else what is above half by more than 1 / 2n.
template <class Real> TS_HD Real rounded_mean(Real sum, int n) {
    const int64_t inverse = int64_t(16777216.0f / float(n));
    return Real(((int64_t(sum) + n / 2) * inverse) >> 24);
}

// A product of colour and alpha, both up to `unit`, as that of a colour which is a whole number.
template <class Real> TS_HD Real with_whole_colour(Real product, Real alpha, Real unit) {
    if (alpha <= 0) return product;
    const Real colour = std::floor(product * unit / alpha);
    return (colour > unit ? unit : colour) * alpha / unit;
}

// What a pass adds up in: float32, or whole numbers of 32 bits if they are large enough for any sum, else of 64 (on the CPU
// in float64: no sum is beyond 2^51).
enum class Sums { real, whole32, whole64 };

// One term of a fixed sum, and the sum as the pass leaves it.
template <class Whole> TS_HD Whole fixed_term(const LongPass& pass, float weight, float value) {
    return (Whole(weight) * (Whole(value) >> pass.value_shift)) >> pass.product_shift;
}
template <class Whole> TS_HD float finished_whole(const LongPass& pass, Whole sum) {
    const float value = float((sum + Whole(pass.add)) >> pass.shift);
    return pass.clipped ? (value < pass.low ? pass.low : value > pass.high ? pass.high : value) : value;
}

// Both passes of samples by these taps, the first pass's first.
struct SumsOfPasses {
    Sums first, second;
    SumsOfPasses(const LongPasses& passes, const LongTaps& of_first, const LongTaps& of_second) {
        double largest = double(passes.unit);
        first = sums_of(passes.first, of_first, largest);
        second = sums_of(passes.second, of_second, largest);
    }

private:
    // `largest`: of the values without their signs; then of the sums.
    static Sums sums_of(const LongPass& pass, const LongTaps& taps, double& largest) {
        if (!pass.fixed) {
            largest = pass.clipped ? std::max(std::abs(double(pass.low)), std::abs(double(pass.high))) : INFINITY;
            return Sums::real;
        }
        const double value = pass.value_shift > 0 ? std::ceil(std::ldexp(largest, -pass.value_shift)) : largest;
        const double sum = taps.largest_sum() * value + std::abs(double(pass.add));
        largest = pass.clipped ? std::max(std::abs(double(pass.low)), std::abs(double(pass.high)))
                               : std::ldexp(sum, -pass.shift) + 1;
        return sum < 0x1p31 && pass.shift < 32 ? Sums::whole32 : Sums::whole64;
    }
};

// The taps of all pixels along an axis; memory of the backend. On a GPU, those that neighbouring threads read are side by
// side.
struct LongTapsView {
    const int* first = nullptr;  // samples, perhaps beyond the edges
    const float* weights = nullptr;
    int taps = 0, pixels = 0;
    size_t tap_stride = 0, pixel_stride = 0;
    TS_HD float weight(int pixel, int k) const {
        return weights[size_t(k) * tap_stride + size_t(pixel) * pixel_stride];
    }
};

// The size of the picture between both passes.
struct BetweenPasses {
    int width, height;
    BetweenPasses(const ResampleJob& job, bool y_first)
        : width(y_first ? job.source.width : job.output.width),
          height(y_first ? job.output.height : job.source.height) {}
    TS_HD size_t pixels() const { return size_t(width) * size_t(height); }
    size_t floats(int channels) const { return pixels() * size_t(channels); }
};

// First tap of a pixel that is outside, or that is not a number: of taps for each pixel of a picture.
inline constexpr int taps_outside = -2147483647 - 1, taps_of_nan = -2147483647;

// Enqueues a picture whose pixels have taps of their own along both axes, pixel (i, j) number j · width + i. Sums of whole
// numbers are of 64 bits. As launch_long_taps() otherwise.
void launch_point_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes,
                       SumsOfPasses sums, const DeviceQueue& queue);

// Enqueues both passes. The job's positions and spec are not used, and its source is samples, without margin. Throws Error if
// a launch is refused.
void launch_long_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes,
                      SumsOfPasses sums, float* between, const DeviceQueue& queue);

}  // namespace texelscope

namespace texelscope::detail {

// The two passes of resampling by long taps, pixel by pixel: the same on both backends.

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

// The second pass, from the pixels between the passes, `width` of them in a row.
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
