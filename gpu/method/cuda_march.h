#pragma once
// A kernel for views without rotation: a thread marches down a column of the output and keeps the sums along the last
// few rows of texels, which neighbouring pixels share. Zoomed in, a pixel costs only the taps of a column.

#include "gpu/method/cuda_grid.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace detail {

constexpr int march_threads = 128, march_rows = 32;

// What all pixels of an output row have in common.
template <int taps> struct alignas(16) MarchRow {
    float w[(taps + 3) / 4 * 4];
    int first;     // row of the first tap, not yet addressed
    bool outside;  // only background
    bool all;      // no weight is zero
};

template <class Method>
__device__ void fill_march_row(const Method& method, const ResampleJob& job, const FixedAffine& f, int j,
                               MarchRow<Method::taps>& row) {
    const SplitCoordinate y = split(f, f.y0 + j * f.yy);
    const AxisPosition at = locate<Method::taps>(y);
    float w[Method::taps];
    method.weights(at.t, w);
    row.first = at.first;
    row.outside = f.clips && is_outside_axis(y, job.source.height);
    row.all = true;
    TS_UNROLL
    for (int k = 0; k < Method::taps; ++k) {
        row.w[k] = w[k];
        row.all = row.all && w[k] != 0;
    }
}

// The sums along rows of texels at one position of x.
template <class Method, int C> class MarchColumn {
public:
    static constexpr int taps = Method::taps;

    __device__ MarchColumn(const Method& method, const TexelArray& array, SplitCoordinate x) : array_(array) {
        const LinearSource<float, C> any(array);  // indices do not depend on the sample type
        axis_taps<LinearSource<float, C>>(
            method, x, [&](int i) { return any.column(i); }, columns_, w_);
        TS_UNROLL
        for (int k = 0; k < taps; ++k) columns_[k] = max(columns_[k], 0);  // weight zero, the value is unused
    }

    __device__ Pixel<C> value(const MarchRow<taps>& row) {
        if (row.first != first_) move_to(row.first);
        auto sum = Pixel<C>::zero();
        if (row.all) {
            TS_UNROLL
            for (int k = 0; k < taps; ++k) sum.add_scaled(row.w[k], sums_[k]);
        } else {  // a row of weight zero is not read: a NaN there is outside the method's support
            TS_UNROLL
            for (int k = 0; k < taps; ++k)
                if (row.w[k] != 0) sum.add_scaled(row.w[k], sums_[k]);
        }
        return sum;
    }

private:
    __device__ void move_to(int first) {
        if (first < first_ || first - first_ >= taps) first_ = first - taps;
        for (; first_ < first; ++first_) {
            TS_UNROLL
            for (int k = 0; k + 1 < taps; ++k) sums_[k] = sums_[k + 1];
            sums_[taps - 1] = sum_along(first_ + taps);
        }
    }

    __device__ Pixel<C> sum_along(int j) const {
        switch (array_.type) {
            case SampleType::u8: return sum_along(LinearSource<uint8_t, C>(array_), j);
            case SampleType::u16: return sum_along(LinearSource<uint16_t, C>(array_), j);
            case SampleType::f16: return sum_along(LinearSource<HalfBits, C>(array_), j);
            default: break;
        }
        return sum_along(LinearSource<float, C>(array_), j);
    }
    template <class Source> __device__ Pixel<C> sum_along(const Source& source, int j) const {
        const int row = source.row(j);
        if (Source::is_zero(row)) return Pixel<C>::zero();
        Pixel<C> texels[taps];
        TS_UNROLL
        for (int k = 0; k < taps; ++k) texels[k] = source.load(columns_[k], row);
        auto sum = Pixel<C>::zero();
        TS_UNROLL
        for (int k = 0; k < taps; ++k) TS_UNROLL
        for (int c = 0; c < C; ++c) sum.v[c] += w_[k] * (w_[k] != 0 ? texels[k].v[c] : 0.0f);  // may be NaN
        return sum;
    }

    const TexelArray& array_;
    int columns_[taps];
    float w_[taps];
    Pixel<C> sums_[taps];  // along the rows first_ … first_ + taps − 1
    int first_ = -(1 << 30);
};

template <class Method, int C, OutputKind kind>
__global__ void __launch_bounds__(march_threads) march_kernel(Method method, ResampleJob job, FixedAffine f) {
    __shared__ MarchRow<Method::taps> rows[march_rows];
    const int top = int(blockIdx.y) * march_rows, count = min(march_rows, job.output.height - top);
    take_image(job);
    if (int(threadIdx.x) < count) fill_march_row<Method>(method, job, f, top + int(threadIdx.x), rows[threadIdx.x]);
    __syncthreads();
    const int i = int(blockIdx.x) * march_threads + int(threadIdx.x);
    if (i >= job.output.width) return;
    const SplitCoordinate x = split(f, f.x0 + i * f.xx);
    MarchColumn<Method, C> column(method, job.source, x);
    const bool outside = f.clips && is_outside_axis(x, job.source.width);
    const int step = f.yy < 0 ? -1 : 1;  // so that the texels' rows are always in rising order
    const MarchRow<Method::taps>* row = step < 0 ? rows + count - 1 : rows;
    PixelWriter<C, kind> writer(job.output, i, step < 0 ? top + count - 1 : top);
    for (int k = 0; k < count; ++k, row += step, writer.move_down(step)) {
        if (outside || row->outside) writer.write_background();
        else writer.write(column.value(*row));
    }
}

inline dim3 march_blocks(const ResampleJob& job) {
    return dim3(unsigned(job.output.width + march_threads - 1) / march_threads,
                unsigned(job.output.height + march_rows - 1) / march_rows, unsigned(job.source.images));
}

}  // namespace detail
}  // namespace texelscope
