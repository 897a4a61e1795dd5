#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/reference/evaluate.h"
#include "gpu/reference/reference.h"

namespace texelscope {
namespace {

// One thread per value (texel and channel) of a line; kernels stride over the rows beyond the grid's limit.
struct Grid {
    dim3 blocks, block{128, 1};
    Grid(long long columns, long long rows)
        : blocks(unsigned((columns + 127) / 128), unsigned(rows < 65535 ? rows : 65535)) {}
};

// Outputs of a thread: many more than it runs in, and few enough that there are many threads.
constexpr int segment = 256;

// Threads, one for each segment of each line.
struct Segments {
    long long lines;
    int per_line;
    Segments(long long count, int outputs) : lines(count), per_line((outputs + segment - 1) / segment) {}
    unsigned blocks() const { return unsigned((lines * per_line + 127) / 128); }
};

// Coefficients first … first + count − 1 of a line of samples read(i), as on the CPU: recursions run in over `reach`
// samples before and after.
template <class Read, class Out>
__device__ void filter_line(const ExactPrefilter& filter, int first, int count, Read read, Out out) {
    for (int p = 0; p < filter.poles; ++p) {
        const double z = filter.pole[p], gain = filter.gain[p];
        double state = 0;
        for (int i = first - filter.reach; i < first + count; ++i) {
            const double sample = read(i), before = z * state;
            if (i >= first) out(i) = (p == 0 ? 0 : out(i)) + gain * (before + sample);
            state = sample + before;
        }
        state = 0;
        for (int i = first + count - 1 + filter.reach; i >= first; --i) {
            const double before = z * state;
            if (i < first + count) out(i) += gain * before;
            state = read(i) + before;
        }
    }
    for (int i = first; filter.poles == 0 && i < first + count; ++i) {
        double sum = 0;
        for (int k = -filter.reach; k <= filter.reach; ++k) sum += filter.tap[abs(k)] * read(i + k);
        out(i) = sum;
    }
}

template <class Sample, int C>
__global__ void filter_rows(SampleSource<Sample, C> source, ReferenceJob job, Segments segments, double* out) {
    const CoefficientPatch& patch = job.patch;
    const long long thread = (long long)(blockIdx.x) * blockDim.x + threadIdx.x, line = thread % segments.lines;
    const int first = int(thread / segments.lines) * segment, count = min(segment, patch.x.count - first);
    if (count <= 0) return;
    const int c = int(line % C), row = source.row(patch.rows.begin + int(line / C));
    double* const to = out + line / C * patch.x.count * C + c;
    filter_line(
        job.prefilter, first, count,
        [&](int i) { return filtered_sample(source, job.job.source, patch.x.begin + i, row, c); },
        [&](int i) -> double& { return to[(long long)(i)*C]; });
}

__global__ void filter_columns(ReferenceJob job, Segments segments) {
    const CoefficientPatch& patch = job.patch;
    const long long thread = (long long)(blockIdx.x) * blockDim.x + threadIdx.x, line = thread % segments.lines;
    const int first = int(thread / segments.lines) * segment, count = min(segment, patch.y.count - first);
    if (count <= 0) return;
    filter_line(
        job.prefilter_y, first, count,
        [&](int j) {
            const int row = patch.filtered_row(patch.y.begin + j);
            return row < 0 ? 0.0 : patch.filtered_rows[row * segments.lines + line];
        },
        [&](int j) -> double& { return patch.values[j * segments.lines + line]; });
}

// See prefilter.h.
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
    const auto [i, j] = detail::grid_pixel();
    if (i < tile.width && j < tile.height) reference_pixel(source, job, tile.x + i, tile.y + j);
}

template <class Sample, int C> void enqueue_patch(const ReferenceJob& job, cudaStream_t stream) {
    const TexelArray& a = job.job.source;
    const CoefficientPatch& patch = job.patch;
    const SampleSource<Sample, C> source(a, job.border);
    const long long count = (long long)(patch.x.count) * C;
    const Segments rows((long long)(patch.rows.count) * C, patch.x.count), columns(count, patch.y.count);
    launch_kernel(work::reference_rows, filter_rows<Sample, C>, rows.blocks(), 128, 0, stream, source, job, rows,
                  a.one_dimensional ? patch.values : patch.filtered_rows);
    if (!a.one_dimensional)
        launch_kernel(work::reference_columns, filter_columns, columns.blocks(), 128, 0, stream, job, columns);
    if constexpr (may_be_non_finite<Sample>) {
        const Grid grid(count, patch.y.count);
        launch_kernel(work::reference_non_finite, restore_non_finite<Sample, C>, grid.blocks, grid.block, 0, stream,
                      source, job);
    }
}

template <class Source> void enqueue_pixels(const Source& source, const ReferenceJob& job, cudaStream_t stream) {
    const detail::PixelGrid grid = detail::pixel_grid(job.tile.width, job.tile.height);
    launch_kernel(work::reference, reference_kernel<Source>, grid.blocks, grid.block, 0, stream, source, job);
}

}  // namespace

void launch_reference(const ReferenceJob& job, CUstream_st* stream) {
    detail::for_texel_type(job.job.source, [&]<class Sample, int C>() {
        if (job.prefilter.reach == 0)
            return enqueue_pixels(SampleSource<Sample, C>(job.job.source, job.border), job, stream);
        enqueue_patch<Sample, C>(job, stream);
        enqueue_pixels(PatchSource<C>(job.patch), job, stream);
    });
}

}  // namespace texelscope
