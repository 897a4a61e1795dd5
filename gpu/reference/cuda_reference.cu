#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/reference/prefilter_line.h"
#include "gpu/reference/reference.h"

namespace texelscope {
namespace {

// One thread per value (texel and channel) of a line; kernels stride over the rows beyond the grid's limit.
struct Grid {
    dim3 blocks, block{128, 1};
    Grid(long long columns, long long rows)
        : blocks(unsigned((columns + 127) / 128), unsigned(rows < 65535 ? rows : 65535)) {}
};

template <class Sample, int C>
__global__ void filter_rows(SampleSource<Sample, C> source, ReferenceJob job, double* out) {
    const CoefficientPatch& patch = job.patch;
    const long long value = (long long)(blockIdx.x) * blockDim.x + threadIdx.x, count = (long long)(patch.x.count) * C;
    if (value >= count) return;
    const int i = patch.x.begin + int(value / C), c = int(value % C);
    const TexelArray& a = job.job.source;
    for (int r = int(blockIdx.y); r < patch.rows.count; r += int(gridDim.y)) {
        const int row = source.row(patch.rows.begin + r);
        double sum = job.prefilter.tap[0] * filtered_sample(source, a, i, row, c);
        for (int m = 1; m <= job.prefilter.reach; ++m)
            sum += job.prefilter.tap[m] *
                   (filtered_sample(source, a, i - m, row, c) + filtered_sample(source, a, i + m, row, c));
        out[r * count + value] = sum;
    }
}

__global__ void filter_columns(ReferenceJob job) {
    const CoefficientPatch& patch = job.patch;
    const long long value = (long long)(blockIdx.x) * blockDim.x + threadIdx.x;
    const long long count = (long long)(patch.x.count) * job.job.source.channels;
    if (value >= count) return;
    const auto read = [&](int k) {
        const int row = patch.filtered_row(k);
        return row < 0 ? 0.0 : patch.filtered_rows[row * count + value];
    };
    for (int j = int(blockIdx.y); j < patch.y.count; j += int(gridDim.y)) {
        const int centre = patch.y.begin + j;
        double sum = job.prefilter.tap[0] * read(centre);
        for (int m = 1; m <= job.prefilter.reach; ++m)
            sum += job.prefilter.tap[m] * (read(centre - m) + read(centre + m));
        patch.values[j * count + value] = sum;
    }
}

// See non_finite.h.
template <class Sample, int C> __global__ void restore_non_finite(SampleSource<Sample, C> source, ReferenceJob job) {
    const CoefficientPatch& patch = job.patch;
    const long long value = (long long)(blockIdx.x) * blockDim.x + threadIdx.x, count = (long long)(patch.x.count) * C;
    if (value >= count) return;
    const int column = source.column(patch.x.begin + int(value / C)), c = int(value % C);
    for (int j = int(blockIdx.y); column >= 0 && j < patch.y.count; j += int(gridDim.y)) {
        const int row = job.job.source.one_dimensional ? 0 : source.row(patch.y.begin + j);
        if (row < 0) continue;
        const float v = sample_to_float(source.raw(column, row, c));
        if (!is_filterable(v)) patch.values[j * count + value] = v;
    }
}

template <class Source> __global__ void reference_kernel(Source source, ReferenceJob job) {
    const PixelRange& tile = job.tile;
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= tile.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < tile.height; j += int(gridDim.y * blockDim.y))
        reference_pixel(source, job, tile.x + i, tile.y + j);
}

template <class Sample, int C> void enqueue_patch(const ReferenceJob& job, cudaStream_t stream) {
    const TexelArray& a = job.job.source;
    const CoefficientPatch& patch = job.patch;
    const SampleSource<Sample, C> source(a);
    const long long count = (long long)(patch.x.count) * C;
    const Grid rows(count, patch.rows.count), columns(count, patch.y.count);
    launch_kernel(work::reference_rows, filter_rows<Sample, C>, rows.blocks, rows.block, 0, stream, source, job,
                  a.one_dimensional ? patch.values : patch.filtered_rows);
    if (!a.one_dimensional)
        launch_kernel(work::reference_columns, filter_columns, columns.blocks, columns.block, 0, stream, job);
    if constexpr (may_be_non_finite<Sample>)
        launch_kernel(work::reference_non_finite, restore_non_finite<Sample, C>, columns.blocks, columns.block, 0,
                      stream, source, job);
}

template <class Source> void enqueue_pixels(const Source& source, const ReferenceJob& job, cudaStream_t stream) {
    const detail::PixelGrid grid = detail::pixel_grid(job.tile.width, job.tile.height);
    launch_kernel(work::reference, reference_kernel<Source>, grid.blocks, grid.block, 0, stream, source, job);
}

}  // namespace

void launch_reference(const ReferenceJob& job, CUstream_st* stream) {
    detail::for_texel_type(job.job.source, [&]<class Sample, int C>() {
        if (job.prefilter.reach == 0) return enqueue_pixels(SampleSource<Sample, C>(job.job.source), job, stream);
        enqueue_patch<Sample, C>(job, stream);
        enqueue_pixels(PatchSource<C>(job.patch), job, stream);
    });
}

}  // namespace texelscope
