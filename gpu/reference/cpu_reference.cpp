#include <algorithm>
#include <new>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/reference/evaluate.h"
#include "gpu/reference/reference.h"

namespace texelscope {
namespace {

// Rows that a thread computes in turn.
constexpr int chunk = 4;

// Doubles of a line that are filtered side by side.
constexpr int most_lanes = 64;

// Adds one pole's gain · Σ z^|k| s(i − k) to out(i), i = 0 … count − 1: two recursions that begin `reach` samples
// before, where what they leave out has decayed. line(i) are the samples at i, null if they are zero.
template <class Line, class Out>
void add_recursion(double z, double gain, int reach, int count, int lanes, Line line, Out out) {
    double state[most_lanes] = {};
    const auto advance = [&](int i, double* result, double own) {  // result += gain · (z · state + own · s)
        const double* s = line(i);
        for (int l = 0; l < lanes; ++l) {
            const double sample = s ? s[l] : 0, before = z * state[l];
            if (result) result[l] += gain * (before + own * sample);
            state[l] = sample + before;
        }
    };
    for (int i = -reach; i < count; ++i) advance(i, i >= 0 ? out(i) : nullptr, 1);
    std::fill(state, state + lanes, 0.0);
    for (int i = count - 1 + reach; i >= 0; --i) advance(i, i < count ? out(i) : nullptr, 0);
}

// Adds to out(i) the convolution with a filter that is given by its taps.
template <class Line, class Out>
void add_convolution(const ExactPrefilter& filter, int count, int lanes, Line line, Out out) {
    for (int i = 0; i < count; ++i)
        for (int k = -filter.reach; k <= filter.reach; ++k)
            if (const double* s = line(i + k))
                for (int l = 0; l < lanes; ++l) out(i)[l] += filter.tap[std::abs(k)] * s[l];
}

template <class Line, class Out>
void add_filtered(const ExactPrefilter& filter, int count, int lanes, Line line, Out out) {
    for (int p = 0; p < filter.poles; ++p)
        add_recursion(filter.pole[p], filter.gain[p], filter.reach, count, lanes, line, out);
    if (filter.poles == 0) add_convolution(filter, count, lanes, line, out);
}

template <class Sample, int C> void filter_rows(const ReferenceJob& job, double* out) {
    const TexelArray& a = job.job.source;
    const CoefficientPatch& patch = job.patch;
    const SampleSource<Sample, C> source(a, job.border);
    const int reach = job.prefilter.reach, count = patch.x.count;
    parallel_for(work::reference_rows, patch.rows.count, chunk, [&](int r) {
        const int sample_row = source.row(patch.rows.begin + r);
        std::vector<double> extended;
        extended.reserve(size_t(count + 2 * reach) * C);
        for (int i = -reach; i < count + reach; ++i)
            for (int c = 0; c < C; ++c)
                extended.push_back(filtered_sample(source, a, patch.x.begin + i, sample_row, c));
        double* row = out + size_t(r) * size_t(count) * C;
        std::fill(row, row + size_t(count) * C, 0.0);
        add_filtered(
            job.prefilter, count, C, [&](int i) { return extended.data() + size_t(i + reach) * C; },
            [&](int i) { return row + size_t(i) * C; });
    });
}

void filter_columns(const ReferenceJob& job) {
    const TexelArray& a = job.job.source;
    const CoefficientPatch& patch = job.patch;
    const int count = patch.x.count * a.channels;
    parallel_for(work::reference_columns, (count + most_lanes - 1) / most_lanes, 1, [&](int block) {
        const int first = block * most_lanes, lanes = std::min(most_lanes, count - first);
        const auto sample = [&](int j) -> const double* {
            const int row = patch.filtered_row(patch.y.begin + j);
            return row < 0 ? nullptr : patch.filtered_rows + size_t(row) * size_t(count) + first;
        };
        const auto coefficient = [&](int j) { return patch.values + size_t(j) * size_t(count) + first; };
        for (int j = 0; j < patch.y.count; ++j) std::fill(coefficient(j), coefficient(j) + lanes, 0.0);
        add_filtered(job.prefilter_y, patch.y.count, lanes, sample, coefficient);
    });
}

// See prefilter.h.
template <class Sample, int C> void restore_non_finite(const ReferenceJob& job) {
    const CoefficientPatch& patch = job.patch;
    const SampleSource<Sample, C> source(job.job.source);
    parallel_for(work::reference_non_finite, patch.y.count, chunk, [&](int j) {
        const int row = job.job.source.one_dimensional ? 0 : source.row(patch.y.begin + j);
        if (row < 0) return;
        double* out = patch.values + size_t(j) * size_t(patch.x.count) * C;
        for (int i = 0; i < patch.x.count; ++i, out += C) {
            const int column = source.column(patch.x.begin + i);
            for (int c = 0; column >= 0 && c < C; ++c)
                if (const float v = sample_to_float(source.raw(column, row, c)); !is_filterable(v)) out[c] = v;
        }
    });
}

// Along one axis, of n samples; or, of a region of an image, of the image's.
bool is_beyond(const ResampleJob& job, double x, int n, int of_image, double first, double beyond) {
    if (!job.cut.is_part) return is_outside_axis(job.outside, x, n, beyond);
    return is_outside_axis(job.outside, x + first, of_image, beyond);
}

// Axis-aligned views: the columns' taps once for all rows, and rows filtered horizontally kept for the output rows that
// share them.
template <class Source> class AlignedRows {
public:
    static constexpr int C = Source::channels;

    AlignedRows(const Source& source, const ReferenceJob& job)
        : source_(source),
          job_(job),
          columns_(size_t(job.tile.width)),
          held_(std::min(size_t(2 * job.weight.radius * job.stretch_y) + 2, size_t(max_widened_taps))) {
        const ResampleJob& j = job.job;
        for (int i = 0; i < job.tile.width; ++i) {
            Column& column = columns_[size_t(i)];
            const double x = position_of(j, job.tile.x + i, 0).x;
            const double at =
                reference_position(x, j.source.address.x, j.source.width, job.prefilter.reach, job.stretch_x);
            column.outside = is_beyond(j, x, j.source.width, j.cut.width, j.cut.x, j.source.beyond_x);
            column.nowhere = at != at;
            if (column.nowhere || column.outside) continue;
            find_taps(job, j.source.address.x, job.stretch_x, at, column.taps);
            column.weights = sum_of(job, column.taps, job.stretch_x);
        }
    }

    void write_row(int j) {
        const ResampleJob& job = job_.job;
        const TexelArray& a = job.source;
        const double y = position_of(job, 0, j).y;
        const bool outside = !(a.one_dimensional && job.outside == Outside::nan) &&
                             is_beyond(job, y, a.height, job.cut.height, job.cut.y, a.beyond_y);
        const double at =
            a.one_dimensional ? 0 : reference_position(y, a.address.y, a.height, job_.prefilter.reach, job_.stretch_y);
        ReferenceTaps taps{0, 1, {1}};
        if (!a.one_dimensional && at == at && !outside) find_taps(job_, a.address.y, job_.stretch_y, at, taps);
        const double weights = a.one_dimensional ? 1 : sum_of(job_, taps, job_.stretch_y);
        std::vector<DoublePixel<C>> line(columns_.size(), DoublePixel<C>::filled(at == at ? 0 : double(nanf(""))));
        for (int k = 0; k < taps.count && at == at && !outside; ++k) {
            const int row = a.one_dimensional ? 0 : source_.row(taps.first + k);
            if (taps.weight[k] == 0 || row < 0) continue;
            const std::vector<DoublePixel<C>>& filtered = filtered_row(row);
            for (size_t i = 0; i < line.size(); ++i) line[i].add_scaled(taps.weight[k], filtered[i]);
        }
        for (int k = 0; k < job_.tile.width; ++k) {
            const Column& column = columns_[size_t(k)];
            const int i = job_.tile.x + k;
            if (outside || column.outside) store_outside<C>(job, i, j);
            else
                store_value(job_, i, j, column.nowhere ? DoublePixel<C>::filled(double(nanf(""))) : line[size_t(k)],
                            weights * column.weights);
        }
    }

private:
    struct Column {
        ReferenceTaps taps{0, 0, {}};
        bool outside = false, nowhere = false;
        double weights = 1;  // their sum
    };
    struct HeldRow {
        int row = -1;
        std::vector<DoublePixel<C>> pixels;
    };

    const std::vector<DoublePixel<C>>& filtered_row(int row) {
        HeldRow& held = held_[size_t(row) % held_.size()];
        if (held.row != row) {
            held.row = row;
            held.pixels.clear();
            for (const Column& column : columns_) held.pixels.push_back(tap_row(source_, column.taps, row));
        }
        return held.pixels;
    }

    const Source& source_;
    const ReferenceJob& job_;
    std::vector<Column> columns_;
    std::vector<HeldRow> held_;  // as many as an output row reads
};

template <class Source> void rows_from(const Source& source, const ReferenceJob& job, int first, int last) {
    if (!job.polar && !job.job.points.x && !job.local_stretch && job.job.positions.axis_aligned()) {
        AlignedRows<Source> rows(source, job);
        for (int j = first; j < last; ++j) rows.write_row(j);
        return;
    }
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.tile.width; ++i) reference_pixel(source, job, job.tile.x + i, j);
}

}  // namespace

void compute_patch_on_cpu(const ReferenceJob& job) try {
    const TexelArray& a = job.job.source;
    detail::for_stored_type(a, [&]<class Sample, int C>() {
        filter_rows<Sample, C>(job, a.one_dimensional ? job.patch.values : job.patch.filtered_rows);
        if (!a.one_dimensional) filter_columns(job);
        if constexpr (may_be_non_finite<Sample>) restore_non_finite<Sample, C>(job);
    });
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the float64 coefficients");
}

void reference_rows(const ReferenceJob& job, int first, int last) {
    detail::for_stored_type(job.job.source, [&]<class Sample, int C>() {
        first += job.tile.y;
        last += job.tile.y;
        if (job.prefilter.reach > 0) rows_from(PatchSource<C>(job.patch), job, first, last);
        else rows_from(SampleSource<Sample, C>(job.job.source, job.border), job, first, last);
    });
}

}  // namespace texelscope
