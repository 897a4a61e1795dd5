#pragma once
// Runs a method over rows of an output on the calling thread.

#include <algorithm>
#include <vector>

#include "gpu/method/resample_pixel.h"

namespace texelscope {

enum class Axis { x, y };

namespace detail {

template <int C, class Evaluator>
void resample_rows_generic(const Evaluator& evaluate, const ResampleJob& job, int first, int last) {
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.output.width; ++i) resample_pixel<C>(evaluate, job, i, j);
}

// The taps that a method reads at a position along one axis; see SeparableRows.
template <class Method, class Source> struct MethodAxes {
    static constexpr int capacity = Method::taps;
    Method method;

    int taps(const Source& source, Axis axis, double position, int (&at)[capacity], float (&w)[capacity]) const {
        if (axis == Axis::x) axis_taps<Source>(method, position, [&](int k) { return source.column(k); }, at, w);
        else axis_taps<Source>(method, position, [&](int k) { return source.row(k); }, at, w);
        return capacity;
    }
};

// Axis-aligned views on the CPU: rows filtered horizontally are kept and shared by the output rows that need them.
// Same operations in the same order as evaluating each pixel by itself, so the same result to the last bit.
//
// `Axes` has `capacity`, the most taps along an axis, and taps(source, axis, position, at, w), which writes stored
// indices with their weights (zero where the tap is zero) and returns how many.
template <class Axes, class Source> class SeparableRows {
public:
    static constexpr int capacity = Axes::capacity, C = Source::channels;

    SeparableRows(const Axes& axes, const Source& source, const ResampleJob& job)
        : axes_(axes), source_(source), job_(job), columns_(size_t(job.output.width)), held_(capacity, -1),
          filtered_(size_t(job.output.width) * capacity), line_(size_t(job.output.width)) {
        const TexelArray& a = job.source;
        for (int i = 0; i < job.output.width; ++i) {
            Column& column = columns_[size_t(i)];
            const double x = affine_position(job.positions.xx, 0, job.positions.x0, i, 0);
            const double reduced = reduced_position(x, a.address.x, a.width, a.margin_x);
            column.outside = is_outside_axis(job.outside, x, a.width);
            column.nowhere = reduced != reduced;
            column.count = axes_.taps(source_, Axis::x, column.nowhere ? 0 : reduced, column.at, column.weight);
        }
    }

    void write_row(int j) {
        const TexelArray& a = job_.source;
        const double y = affine_position(job_.positions.yy, 0, job_.positions.y0, j, 0);
        const bool outside = a.one_dimensional && job_.outside == Outside::nan ? false : is_outside_axis(job_.outside, y, a.height);
        int at[capacity] = {0}, count = 1;
        float weight[capacity] = {1};
        const double reduced = a.one_dimensional ? 0 : reduced_position(y, a.address.y, a.height, a.margin_y);
        const bool nowhere = reduced != reduced;
        if (!a.one_dimensional) count = axes_.taps(source_, Axis::y, nowhere ? 0 : reduced, at, weight);
        std::fill(line_.begin(), line_.end(), Pixel<C>::zero());
        for (int k = 0; !outside && k < count; ++k)
            if (weight[k] != 0) add_row(weight[k], filtered_row(at[k]));
        for (int i = 0; i < job_.output.width; ++i) {
            if (outside || columns_[size_t(i)].outside) write_outside<C>(job_, i, j);
            else if (nowhere || columns_[size_t(i)].nowhere) write_pixel(job_.output, i, j, Pixel<C>::nan());
            else write_pixel(job_.output, i, j, line_[size_t(i)]);
        }
    }

private:
    struct Column {
        int at[capacity];
        float weight[capacity];
        int count;
        bool outside;
        bool nowhere;  // infinitely far in a repeating signal
    };

    void add_row(float weight, const Pixel<C>* row) {
        for (size_t i = 0; i < line_.size(); ++i) line_[i].add_scaled(weight, row[i]);
    }

    // Consecutive source rows fall into different slots, so the taps of one output row never evict one another
    // (but for wrapped or mirrored neighbours, which are then filtered again).
    const Pixel<C>* filtered_row(int row) {
        const int slot = row % capacity;
        Pixel<C>* result = filtered_.data() + size_t(slot) * columns_.size();
        if (held_[size_t(slot)] != row) {
            held_[size_t(slot)] = row;
            for (size_t i = 0; i < columns_.size(); ++i) result[i] = filtered_pixel(columns_[i], row);
        }
        return result;
    }

    Pixel<C> filtered_pixel(const Column& column, int row) const {
        if constexpr (capacity <= 8) {
            return weighted_row(source_, column.at, column.weight, row);
        } else {
            Pixel<C> sum = Pixel<C>::zero();
            for (int k = 0; k < column.count; ++k)
                if (column.weight[k] != 0) sum.add_scaled(column.weight[k], source_.load(column.at[k], row));
            return sum;
        }
    }

    Axes axes_;
    const Source& source_;
    const ResampleJob& job_;
    std::vector<Column> columns_;
    std::vector<int> held_;  // the row in each slot
    std::vector<Pixel<C>> filtered_, line_;
};

template <class Method, class Sample, int C>
void resample_rows_typed(const ResampleJob& job, int first, int last) {
    const Method method = made<Method>(job.parameters);
    if (job.path == FetchPath::hardware) {
        using Source = EmulatedTextureSource<Sample, C>;
        resample_rows_generic<C>(FilterEvaluator<Method, Source>{method, Source(job.source)}, job, first, last);
    } else {
        using Source = LinearSource<Sample, C>;
        const Source source(job.source);
        if (!job.points.x && job.positions.axis_aligned()) {
            SeparableRows<MethodAxes<Method, Source>, Source> rows({method}, source, job);
            for (int j = first; j < last; ++j) rows.write_row(j);
        } else {
            resample_rows_generic<C>(TapEvaluator<Method, Source>{method, source}, job, first, last);
        }
    }
}

template <class Method> void resample_rows(const ResampleJob& job, int first, int last) {
    for_texel_type(job.source, [&]<class Sample, int C>() { resample_rows_typed<Method, Sample, C>(job, first, last); });
}

}  // namespace detail
}  // namespace texelscope
