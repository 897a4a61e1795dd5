#pragma once
// Runs a method over an output: the CPU's loop over rows and the CUDA kernel, both instantiated by a method's file
// through described_by<Method>().

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/method/evaluate.h"
#include "gpu/method/method_info.h"
#include "gpu/method/output.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace texelscope {

enum class Axis { x, y };

namespace detail {

// A method that has parameters is constructed from their values.
template <class Method> Method made(const MethodParameters& parameters) {
    if constexpr (std::is_constructible_v<Method, const MethodParameters&>) return Method(parameters);
    else return Method{};
}

template <class Method> std::vector<float> tap_weights(float t, const MethodParameters& parameters) {
    float w[Method::taps];
    made<Method>(parameters).weights(t, w);
    return {w, w + Method::taps};
}

template <class Method> std::vector<FilteredFetch> filtered_fetches(float t, const MethodParameters& parameters) {
    std::vector<FilteredFetch> fetches;
    if constexpr (Method::fetches > 0) {
        float offset[Method::fetches], weight[Method::fetches];
        made<Method>(parameters).groups(t, offset, weight);
        for (int i = 0; i < Method::fetches; ++i) fetches.push_back({offset[i], weight[i]});
    }
    return fetches;
}

// How one position is evaluated on a source; the same for host and device.
template <class Method, class Source> struct TapEvaluator {
    Method method;
    Source source;
    TS_HD Pixel<Source::channels> operator()(const TexelArray&, double x, double y) const {
        return evaluate_taps(method, source, x, y);
    }
};

template <class Method, class Source> struct FilterEvaluator {
    Method method;
    Source source;
    TS_HD Pixel<Source::channels> operator()(const TexelArray& a, double x, double y) const {
        return evaluate_filtered(method, source, a, x, y);
    }
};

template <int C, class Evaluator>
TS_HD void resample_pixel(const Evaluator& evaluate, const ResampleJob& job, int i, int j) {
    const TexelArray& a = job.source;
    const Point p = position_of(job, i, j);
    if (is_outside(job, p)) {
        write_outside<C>(job, i, j);
        return;
    }
    const double x = reduced_position(p.x, a.address.x, a.width, a.margin_x);
    const double y = a.one_dimensional ? 0 : reduced_position(p.y, a.address.y, a.height, a.margin_y);
    if (x == x && y == y) write_pixel(job.output, i, j, evaluate(a, x, y));
    else write_pixel(job.output, i, j, Pixel<C>::nan());  // not a number, or infinitely far in a repeating signal
}

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

// Calls visit.template operator()<Sample, C>() for the job's texels.
template <class Visit> void for_texel_type(const TexelArray& a, Visit visit) {
    const auto with_channels = [&]<class Sample>() {
        if (a.channels == 1) visit.template operator()<Sample, 1>();
        else if (a.channels == 2) visit.template operator()<Sample, 2>();
        else visit.template operator()<Sample, 4>();
    };
    switch (a.type) {
        case SampleType::u8: return with_channels.template operator()<uint8_t>();
        case SampleType::u16: return with_channels.template operator()<uint16_t>();
        case SampleType::f16: return with_channels.template operator()<HalfBits>();
        case SampleType::f32: return with_channels.template operator()<float>();
    }
}

template <class Method> void resample_rows(const ResampleJob& job, int first, int last) {
    for_texel_type(job.source, [&]<class Sample, int C>() { resample_rows_typed<Method, Sample, C>(job, first, last); });
}

#if defined(__CUDACC__)
struct PixelGrid {
    dim3 blocks, block;
};

// A thread a pixel; kernels stride over the rows beyond the grid's limit.
inline PixelGrid pixel_grid(const ResampleOutput& out) {
    const dim3 block(32, 8);
    const unsigned columns = (unsigned(out.width) + block.x - 1) / block.x;
    const unsigned rows = (unsigned(out.height) + block.y - 1) / block.y;
    return {dim3(columns, rows < 65535u ? rows : 65535u), block};
}

inline void check_launch(const char* what) {
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
        throw Error(std::string("the GPU refused the ") + what + " kernel: " + cudaGetErrorString(error));
}

template <int C, class Evaluator> __global__ void resample_kernel(Evaluator evaluate, ResampleJob job) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= job.output.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < job.output.height; j += int(gridDim.y * blockDim.y))
        resample_pixel<C>(evaluate, job, i, j);
}

template <int C, class Evaluator>
void launch_evaluator(const Evaluator& evaluate, const ResampleJob& job, cudaStream_t stream) {
    const PixelGrid grid = pixel_grid(job.output);
    resample_kernel<C><<<grid.blocks, grid.block, 0, stream>>>(evaluate, job);
}

template <class Method, int C, bool signal> void launch_textured(const ResampleJob& job, cudaStream_t stream) {
    const Method method = made<Method>(job.parameters);
    using Lookup = LookupSource<C, signal>;
    using Hardware = HardwareSource<C, signal>;
    if (job.path == FetchPath::lookup)
        launch_evaluator<C>(TapEvaluator<Method, Lookup>{method, Lookup(job.source)}, job, stream);
    else
        launch_evaluator<C>(FilterEvaluator<Method, Hardware>{method, Hardware(job.source)}, job, stream);
}

template <class Method, bool signal> void launch_textured(const ResampleJob& job, cudaStream_t stream) {
    switch (job.source.channels) {
        case 1: return launch_textured<Method, 1, signal>(job, stream);
        case 2: return launch_textured<Method, 2, signal>(job, stream);
        default: return launch_textured<Method, 4, signal>(job, stream);
    }
}

template <class Method> void launch(const ResampleJob& job, CUstream_st* stream) {
    if (job.path != FetchPath::global) {
        if (job.source.one_dimensional) launch_textured<Method, true>(job, stream);
        else launch_textured<Method, false>(job, stream);
    } else {
        for_texel_type(job.source, [&]<class Sample, int C>() {
            using Source = LinearSource<Sample, C>;
            launch_evaluator<C>(TapEvaluator<Method, Source>{made<Method>(job.parameters), Source(job.source)}, job, stream);
        });
    }
    check_launch("interpolation");
}
#endif

}  // namespace detail

// Fills in the functions of a method's record.
template <class Method> MethodInfo described_by(MethodInfo info) {
    static_assert(Method::taps <= 8, "max_widened_taps in widened.h has room for eight taps");
    info.taps = Method::taps;
    info.hardware_fetches = Method::fetches > 0 ? Method::fetches : 1;
    info.weight = [](double x, const MethodParameters& parameters) { return detail::made<Method>(parameters).weight(x); };
    if constexpr (requires(const Method& method) { method.slope(0.0); })
        info.slope = [](double x, const MethodParameters& parameters) { return detail::made<Method>(parameters).slope(x); };
    info.tap_weights = detail::tap_weights<Method>;
    info.filtered_fetches = detail::filtered_fetches<Method>;
    info.resample_rows = detail::resample_rows<Method>;
#if defined(__CUDACC__)
    info.launch = detail::launch<Method>;
#else
    info.launch = nullptr;
#endif
    return info;
}

}  // namespace texelscope
