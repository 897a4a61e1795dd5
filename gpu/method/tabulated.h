#pragma once
// Weights from a table of the weight function, for what a method's own few taps cannot do: widened for zooming out
// without aliasing, and differentiated. One code for all methods; reads linear memory, whatever the fetch
// path.

#include <cmath>
#include <vector>

#include "gpu/core/machine.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/method_info.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/weights/weights.h"

namespace texelscope {

// How far a weight function is widened for zooming out without aliasing.

// Widened no further than this; from there on a smaller image of the pyramid is read.
inline constexpr double max_stretch = 8;

// Taps along an axis: of a method of nine that are not zero at the largest stretch, both ends included.
inline constexpr int max_widened_taps = 9 * int(max_stretch) + 1;

// As far as there is room for the taps: of methods of more than nine, half of it.
TS_HD double largest_stretch(double radius) { return radius > 4.5 ? max_stretch / 2 : max_stretch; }

// The stretches at output pixel (i, j) of a job with points: how far apart the neighbouring ones are along each axis.
TS_HD void local_stretches(const ResampleJob& job, int i, int j, double& stretch_x, double& stretch_y) {
    const Point p = position_of(job, i, j);
    const int next_i = i + 1 < job.output.width ? i + 1 : i - 1, next_j = j + 1 < job.output.height ? j + 1 : j - 1;
    const Point along_i = next_i >= 0 ? position_of(job, next_i, j) : p,
                along_j = next_j >= 0 ? position_of(job, i, next_j) : p;
    const auto stretch = [](double a, double b) {
        const double s = sqrt(a * a + b * b);
        return s > 1 ? (s < max_stretch ? s : max_stretch) : 1.0;  // NaN: 1
    };
    stretch_x = stretch(along_i.x - p.x, along_j.x - p.x);
    stretch_y = stretch(along_i.y - p.y, along_j.y - p.y);
}

// The footprint of an output pixel on the samples, under a view or a warp: an ellipse (Greene & Heckbert 1986).

// How the position that is read moves from an output pixel to its neighbours: (xi, yi) per pixel to the right, (xj, yj)
// per pixel down, in samples.
struct Steps {
    double xi = 1, yi = 0;
    double xj = 0, yj = 1;
};

// The ellipse on which a radial function has the value that it has at distance 1: xx·dx² + 2·xy·dx·dy + yy·dy² = 1 for
// (dx, dy) from its centre. A footprint that is not widened is the unit circle.
template <class Real> struct Footprint {
    Real xx = 1, xy = 0, yy = 1;
    Real reach_y = 1;  // of the ellipse, from its centre
};

// The image of a pixel's unit circle under the steps: its semi-axes are the singular values of their matrix, each made at
// least 1, so that no sample between is missed where the view zooms in along one direction, and at most `largest`. The
// unit circle if the steps are not finite.
TS_HD Footprint<double> footprint_of(const Steps& s, double largest) {
    // The matrix times its transpose: mean and half difference of the eigenvalues, twice the angle of the first.
    const double xx = s.xi * s.xi + s.xj * s.xj, yy = s.yi * s.yi + s.yj * s.yj, xy = s.xi * s.yi + s.xj * s.yj;
    const double mean = (xx + yy) / 2, half = (xx - yy) / 2, apart = sqrt(half * half + xy * xy);
    if (!(mean + apart <= 1e300)) return {};
    const double most = largest * largest;
    const double major = fmin(fmax(mean + apart, 1.0), most), minor = fmin(fmax(mean - apart, 1.0), most);
    const double cosine = apart > 0 ? half / apart : 1, sine = apart > 0 ? xy / apart : 0;
    const double even = (1 / major + 1 / minor) / 2, odd = (1 / major - 1 / minor) / 2;
    return {even + odd * cosine, odd * sine, even - odd * cosine,
            sqrt((major + minor) / 2 - (major - minor) / 2 * cosine)};
}

template <class Real> TS_HD Footprint<Real> converted(const Footprint<double>& f) {
    return {Real(f.xx), Real(f.xy), Real(f.yy), Real(f.reach_y)};
}

// The steps of a job without points.
TS_HD Steps steps_of(const ResampleJob& job) {
    const Affine& a = job.positions;
    if (job.source.one_dimensional) return {a.xx, 0, 0, 1};
    return {a.xx, a.yx, a.xy, a.yy};
}

// With points: the distances of neighbouring ones.
TS_HD Steps steps_at(const ResampleJob& job, int i, int j) {
    const Point p = position_of(job, i, j);
    const int next_i = i + 1 < job.output.width ? i + 1 : i - 1, next_j = j + 1 < job.output.height ? j + 1 : j - 1;
    const Point right = next_i >= 0 ? position_of(job, next_i, j) : p,
                down = next_j >= 0 ? position_of(job, i, next_j) : p;
    if (job.source.one_dimensional) return {right.x - p.x, 0, 0, 1};
    return {right.x - p.x, right.y - p.y, down.x - p.x, down.y - p.y};
}

// What a pixel's footprint comes from.
enum class FootprintKind {
    circle,  // the method's own disc, not widened
    view,    // the same ellipse for all pixels
    points   // another one at each
};

// Along one row of samples, at distance dy from the centre: the columns within `radius` of the centre, as distances to the
// right of the centre. None if half is negative.
template <class Real> struct RowSpan { Real middle, half; };
template <class Real> TS_HD RowSpan<Real> span_of_row(const Footprint<Real>& f, Real radius, Real dy) {
    const Real rest = radius * radius - (f.yy - f.xy * f.xy / f.xx) * dy * dy;
    return {-f.xy / f.xx * dy, rest >= 0 ? Real(sqrt(rest / f.xx)) : Real(-1)};
}

struct KernelChoice;

// Table nodes from one sample to the next. Linear interpolation between them is off by max|h″| / 8 / 2048² < 3e-7 for
// the most curved weight function here.
inline constexpr int table_nodes = 2048;

// The function h that is widened, on [0, radius], or the derivative of the method's own, at distances k / table_nodes. One node
// more than needed.
std::vector<float> weight_table(const MethodInfo& method, const MethodParameters& parameters, bool derivative);

// The filter along one axis: weights h((x − k) / stretch) over their sum, or h′(x − k).
struct AxisFilter {
    const float* table = nullptr;  // memory of the backend
    PieceTable<float> pieces;      // used instead if there are any: of a custom method, or its derivative
    float radius = 1;              // of h, samples
    float stretch = 1;             // ≥ 1; above max_stretch only if all samples along the axis are the same one
    bool derivative = false;
    bool normalise = true;  // false: weights as they are, for a custom method that is not widened

    WeightForm form() const {
        return derivative ? WeightForm::derivative : normalise ? WeightForm::widened : WeightForm::own;
    }
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
