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
namespace detail {

// A method that has parameters is constructed from their values.
template <class Method> Method made(const MethodParameters& parameters) {
    if constexpr (std::is_constructible_v<Method, const MethodParameters&>) return Method(parameters);
    else return Method{};
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
    const Affine& p = job.positions;
    const TexelArray& a = job.source;
    const double x = affine_position(p.xx, p.xy, p.x0, i, j);
    const double y = affine_position(p.yy, p.yx, p.y0, j, i);
    if (!job.extend && !inside_extent(a, x, y)) {
        write_background<C>(job.output, i, j);
        return;
    }
    write_pixel(job.output, i, j,
                evaluate(a, reduced_position(x, a.address.x, a.width, a.margin_x),
                         reduced_position(y, a.address.y, a.height, a.margin_y)));
}

template <int C, class Evaluator>
void resample_rows_generic(const Evaluator& evaluate, const ResampleJob& job, int first, int last) {
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.output.width; ++i) resample_pixel<C>(evaluate, job, i, j);
}

// Axis-aligned views on the CPU: rows filtered horizontally are kept and shared by the output rows that need them.
// Same operations in the same order as evaluate_taps, so the same result to the last bit.
template <class Method, class Source> class SeparableRows {
public:
    static constexpr int taps = Method::taps, C = Source::channels;

    SeparableRows(const Method& method, const Source& source, const ResampleJob& job)
        : method_(method), source_(source), job_(job), columns_(size_t(job.output.width)),
          filtered_(size_t(job.output.width) * taps), line_(size_t(job.output.width)) {
        for (int& row : held_) row = -1;
        const TexelArray& a = job.source;
        for (int i = 0; i < job.output.width; ++i) {
            Column& column = columns_[size_t(i)];
            const double x = affine_position(job.positions.xx, 0, job.positions.x0, i, 0);
            column.inside = job.extend || (x >= -0.5 && x < a.width - 0.5);
            axis_taps<Source>(method_, reduced_position(x, a.address.x, a.width, a.margin_x),
                      [&](int k) { return source_.column(k); }, column.at, column.weight);
        }
    }

    void write_row(int j) {
        const TexelArray& a = job_.source;
        const double y = affine_position(job_.positions.yy, 0, job_.positions.y0, j, 0);
        const bool inside = job_.extend || (y >= -0.5 && y < a.height - 0.5);
        int at[taps];
        float weight[taps];
        axis_taps<Source>(method_, reduced_position(y, a.address.y, a.height, a.margin_y),
                  [&](int k) { return source_.row(k); }, at, weight);
        std::fill(line_.begin(), line_.end(), Pixel<C>::zero());
        for (int k = 0; inside && k < taps; ++k)
            if (weight[k] != 0) add_row(weight[k], filtered_row(at[k]));
        for (int i = 0; i < job_.output.width; ++i) {
            if (inside && columns_[size_t(i)].inside) write_pixel(job_.output, i, j, line_[size_t(i)]);
            else write_background<C>(job_.output, i, j);
        }
    }

private:
    struct Column {
        int at[taps];
        float weight[taps];
        bool inside;
    };

    void add_row(float weight, const Pixel<C>* row) {
        for (size_t i = 0; i < line_.size(); ++i) line_[i].add_scaled(weight, row[i]);
    }

    // Consecutive source rows fall into different slots, so the taps of one output row never evict one another
    // (but for wrapped or mirrored neighbours, which are then filtered again).
    const Pixel<C>* filtered_row(int row) {
        const int slot = row % taps;
        Pixel<C>* result = filtered_.data() + size_t(slot) * columns_.size();
        if (held_[slot] != row) {
            held_[slot] = row;
            for (size_t i = 0; i < columns_.size(); ++i)
                result[i] = weighted_row(source_, columns_[i].at, columns_[i].weight, row);
        }
        return result;
    }

    const Method& method_;
    const Source& source_;
    const ResampleJob& job_;
    std::vector<Column> columns_;
    std::vector<Pixel<C>> filtered_, line_;
    int held_[taps];
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
        if (job.positions.axis_aligned()) {
            SeparableRows<Method, Source> rows(method, source, job);
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
template <int C, class Evaluator> __global__ void resample_kernel(Evaluator evaluate, ResampleJob job) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= job.output.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < job.output.height; j += int(gridDim.y * blockDim.y))
        resample_pixel<C>(evaluate, job, i, j);
}

template <int C, class Evaluator>
void launch_evaluator(const Evaluator& evaluate, const ResampleJob& job, cudaStream_t stream) {
    const dim3 block(32, 8);
    const unsigned columns = (unsigned(job.output.width) + block.x - 1) / block.x;
    const unsigned rows = (unsigned(job.output.height) + block.y - 1) / block.y;
    resample_kernel<C><<<dim3(columns, rows < 65535u ? rows : 65535u), block, 0, stream>>>(evaluate, job);
}

template <class Method, int C> void launch_textured(const ResampleJob& job, cudaStream_t stream) {
    const Method method = made<Method>(job.parameters);
    if (job.path == FetchPath::lookup)
        launch_evaluator<C>(TapEvaluator<Method, LookupSource<C>>{method, LookupSource<C>(job.source)}, job, stream);
    else
        launch_evaluator<C>(FilterEvaluator<Method, HardwareSource<C>>{method, HardwareSource<C>(job.source)}, job, stream);
}

template <class Method> void launch(const ResampleJob& job, CUstream_st* stream) {
    if (job.path != FetchPath::global) {
        switch (job.source.channels) {
            case 1: launch_textured<Method, 1>(job, stream); break;
            case 2: launch_textured<Method, 2>(job, stream); break;
            default: launch_textured<Method, 4>(job, stream);
        }
    } else {
        for_texel_type(job.source, [&]<class Sample, int C>() {
            using Source = LinearSource<Sample, C>;
            launch_evaluator<C>(TapEvaluator<Method, Source>{made<Method>(job.parameters), Source(job.source)}, job, stream);
        });
    }
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
        throw Error(std::string("the GPU refused the interpolation kernel: ") + cudaGetErrorString(error));
}
#endif

}  // namespace detail

// Fills in the functions of a method's record.
template <class Method> MethodInfo described_by(MethodInfo info) {
    info.taps = Method::taps;
    info.hardware_fetches = Method::fetches > 0 ? Method::fetches : 1;
    info.weight = [](double x, const MethodParameters& parameters) { return detail::made<Method>(parameters).weight(x); };
    info.resample_rows = detail::resample_rows<Method>;
#if defined(__CUDACC__)
    info.launch = detail::launch<Method>;
#else
    info.launch = nullptr;
#endif
    return info;
}

}  // namespace texelscope
