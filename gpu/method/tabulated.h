#pragma once
// Weights from a table of the weight function, for what a method's own few taps cannot do: widened for zooming out
// without aliasing (widened.h), and differentiated. One code for all methods; reads linear memory, whatever the fetch
// path.

#include <vector>

#include "gpu/core/device_limits.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/method_info.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/method/widened.h"
#include "gpu/weights/pieces.h"

namespace texelscope {

struct KernelChoice;

// Table nodes from one sample to the next. Linear interpolation between them is off by max|h″| / 8 / 2048² < 3e-7 for
// the most curved weight function here.
inline constexpr int table_nodes = 2048;

// The weight function h on [0, radius], or its derivative, at distances k / table_nodes. One node more than needed.
std::vector<float> weight_table(const MethodInfo& method, const MethodParameters& parameters, bool derivative);

// The filter along one axis: weights h((x − k) / stretch) over their sum, or h′(x − k).
struct AxisFilter {
    const float* table = nullptr;  // memory of the backend
    PieceTable<float> pieces;      // used instead if there are any: of a custom method, or its derivative
    float radius = 1;              // of h, samples: half the method's taps
    float stretch = 1;             // ≥ 1; above max_stretch only if all samples along the axis are the same one
    bool derivative = false;
    bool normalise = true;  // false: weights as they are, for a custom method that is not widened
};

struct TabulatedJob {
    ResampleJob job;
    AxisFilter x, y;
    bool local_stretch = false;  // for points: from the distances of neighbouring points instead
};

// Computes rows [first, last) of the job on the calling thread.
void resample_tabulated_rows(const TabulatedJob& job, int first, int last);

// Enqueues the job on the kernel of choose(). Throws Error if the launch is refused.
void launch_tabulated(const TabulatedJob& job, const KernelChoice& choice, const DeviceQueue& queue);

// Weights by pieces are a template's business: what they take of a GPU's registers, weights from a table need not.

// h at distance d, of the function on [−radius, radius); d and radius in units of the stretched samples.
template <bool by_pieces> TS_HD float table_value(const AxisFilter& filter, float d) {
    if constexpr (by_pieces) {
        const float whole = floorf(d);
        return piece_value(filter.pieces, int(whole), d - whole);
    }
    const float u = fabsf(d);
    if (u > filter.radius || d == filter.radius) return 0;
    const float at = u * table_nodes;
    const int node = int(at);
    const float left = filter.table[node], right = filter.table[node + 1];
    const float value = left + (at - float(node)) * (right - left);
    return filter.derivative && d < 0 ? -value : value;
}

// Indices of the image.
struct TapRange {
    int first, count;
    TS_HD int last() const { return first + count - 1; }
};

// The samples under the filter at x, for a stretch up to max_stretch.
TS_HD TapRange tap_range(const AxisFilter& filter, double x) {
    const float reach = filter.radius * filter.stretch;
    const int whole = int(floor_to_integer(x));
    const float t = float(x - whole);
    const int before = int(ceilf(t - reach)), count = int(floorf(t + reach)) - before + 1;  // from `whole`
    return {whole + before, count < max_widened_taps ? count : max_widened_taps};
}

// Weights at x of the samples first, first + 1, …; returns how many.
template <bool by_pieces>
TS_HD int tabulated_weights(const AxisFilter& filter, AddressMode mode, double x, int& first,
                            float (&w)[max_widened_taps]) {
    if (!(x == x)) {  // not a position, so there is no index of a table or a sample
        first = 0;
        w[0] = nanf("");
        return 1;
    }
    if (filter.stretch > float(max_stretch)) {  // a single sample, however often repeated
        first = 0;
        w[0] = mode == AddressMode::border ? table_value<by_pieces>(filter, float(x) / filter.stretch) / filter.stretch
                                           : 1.0f;
        return 1;
    }
    const TapRange taps = tap_range(filter, x);
    const int whole = int(floor_to_integer(x)), before = taps.first - whole;
    const float t = float(x - whole);
    first = taps.first;
    float sum = 0;
    TS_UNROLL_BY(1)  // four at a time would take a GPU's registers
    for (int k = 0; k < taps.count; ++k) {
        if (by_pieces && filter.stretch == 1) w[k] = piece_value(filter.pieces, -(before + k), t);  // t is not rounded
        else w[k] = table_value<by_pieces>(filter, (t - float(before + k)) / filter.stretch);
        sum += w[k];
    }
    if ((!by_pieces || filter.normalise) && !filter.derivative && sum != 0) TS_UNROLL_BY(1)
    for (int k = 0; k < taps.count; ++k) w[k] /= sum;
    return taps.count;
}

// The filters at output pixel (i, j) of a job with points.
TS_HD void fit_to_points(const ResampleJob& job, int i, int j, AxisFilter& x, AxisFilter& y) {
    double stretch_x, stretch_y;
    local_stretches(job, i, j, stretch_x, stretch_y);
    x.stretch = float(fmin(stretch_x, largest_stretch(x.radius)));
    y.stretch = float(fmin(stretch_y, largest_stretch(y.radius)));
}

// Σ along one row. Taps of weight zero are not read.
template <class Source>
TS_HD Pixel<Source::channels> tabulated_line(const Source& source, int row, int first, int columns, const float* w) {
    auto line = Pixel<Source::channels>::zero();
    if (source.stores_columns(first, columns)) {
        const int column = source.column(first);
        for (int i = 0; i < columns; ++i)
            if (w[i] != 0) line.add_scaled(w[i], source.load(column + i, row));
        return line;
    }
    TS_UNROLL_BY(1)
    for (int i = 0; i < columns; ++i) {
        const int column = source.column(first + i);
        if (w[i] != 0 && !Source::is_zero(column)) line.add_scaled(w[i], source.load(column, row));
    }
    return line;
}
template <int C>
TS_HD Pixel<C> tabulated_line(const AnySource<C>& any, int row, int first, int columns, const float* w) {
    return any.typed([&](const auto& source) { return tabulated_line(source, row, first, columns, w); });
}

// Σ over columns × rows taps.
template <class Source>
TS_HD Pixel<Source::channels> tabulated_sum(const Source& source, int first_x, int columns, const float* wx,
                                            int first_y, int rows, const float* wy) {
    auto sum = Pixel<Source::channels>::zero();
    for (int j = 0; j < rows; ++j) {
        const int row = source.row(first_y + j);
        if (wy[j] != 0 && !Source::is_zero(row))
            sum.add_scaled(wy[j], tabulated_line(source, row, first_x, columns, wx));
    }
    return sum;
}

template <bool by_pieces, class Source>
TS_HD Pixel<Source::channels> evaluate_tabulated(const Source& source, const TexelArray& a, const AxisFilter& filter_x,
                                                 const AxisFilter& filter_y, double x, double y) {
    float wx[max_widened_taps], wy[max_widened_taps];
    int first_x = 0, first_y = 0;
    const int columns = tabulated_weights<by_pieces>(filter_x, a.address.x, x, first_x, wx);
    const int rows = a.one_dimensional ? 1 : tabulated_weights<by_pieces>(filter_y, a.address.y, y, first_y, wy);
    if (a.one_dimensional) wy[0] = 1;
    return tabulated_sum(source, first_x, columns, wx, first_y, rows, wy);
}

namespace detail {

template <int C, bool by_pieces, class Source>
TS_HD void tabulated_pixel(const Source& source, const TabulatedJob& tabulated, int i, int j) {
    AxisFilter x = tabulated.x, y = tabulated.y;
    if (tabulated.local_stretch) fit_to_points(tabulated.job, i, j, x, y);
    const auto evaluate = [&](const TexelArray& a, double px, double py) {
        return evaluate_tabulated<by_pieces>(source, a, x, y, px, py);
    };
    resample_pixel<C>(evaluate, tabulated.job, i, j);
}

}  // namespace detail
}  // namespace texelscope
