#include "gpu/prefilter/cuda_prefilter.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/prefilter/cuda_fused.h"
#include "gpu/prefilter/non_finite.h"

namespace texelscope {
namespace {

// Coefficients that one thread computes along its line; its recursions warm up over the horizon on each side.
constexpr int segment = 32;

struct FloatKernel {
    float pole[PrefilterKernel::max_poles], gain[PrefilterKernel::max_poles], taps[16];
    int poles, horizon, half_taps;
};

// One axis of the filter: lines of n samples, `lines` of them, into lines of n + 2·margin coefficients.
struct Pass {
    int n, lines, margin;
    AddressMode mode;
    // strides of the output, in texels, along and across the line
    size_t along, across;
    int* found_non_finite;
};

// Samples of row or column `line`, extended beyond both ends.
template <class Source, bool along_rows> struct ExtendedLine {
    const Source& source;
    const Pass& pass;
    int line;

    int* found_non_finite;

    __device__ auto operator()(int k) const {
        const int index = addressed(pass.mode, k, pass.n);
        if (index < 0) return Pixel<Source::channels>::zero();
        if (!along_rows) return source.load(line, index);
        auto v = source.load(index, line);
        for (int c = 0; c < Source::channels; ++c)
            if (!is_filterable(v.v[c])) {
                v.v[c] = finite_stand_in(v.v[c], source.load(max(index - 1, 0), line).v[c],
                                         source.load(min(index + 1, pass.n - 1), line).v[c]);
                *found_non_finite = 1;
            }
        return v;
    }
};

// Adds one pole's recursion to out, or begins with it.
template <class Line, class Pixels>
__device__ void add_recursion(const Line& s, float z, float gain, int horizon, bool begin, Pixels* out, size_t along,
                              int first, int last) {
    auto state = (1 / (1 - z)) * s(first - horizon);
    for (int k = first - horizon + 1; k < first; ++k) state = s(k) + z * state;
    for (int k = first; k < last; ++k) {
        state = s(k) + z * state;
        Pixels& c = out[k * ptrdiff_t(along)];
        c = begin ? gain * state : c + gain * state;
    }
    state = (1 / (1 - z)) * s(last - 1 + horizon);
    for (int k = last - 2 + horizon; k >= last; --k) state = s(k) + z * state;
    for (int k = last - 1; k >= first; --k) {
        const auto before = z * state;  // the anticausal sum without its own sample
        Pixels& c = out[k * ptrdiff_t(along)];
        c = c + gain * before;
        state = s(k) + before;
    }
}

template <class Line, class Pixels>
__device__ void filter_recursively(const Line& s, const FloatKernel& f, Pixels* out, size_t along, int first, int last) {
    for (int i = 0; i < f.poles; ++i) add_recursion(s, f.pole[i], f.gain[i], f.horizon, i == 0, out, along, first, last);
}

// A block's part of the lines that a FIR filters: so many lines side by side, so many coefficients along each.
template <bool along_rows> struct FirTile {
    static constexpr int lines = along_rows ? 8 : 32, length = along_rows ? 128 : 64, threads = 256;
    static constexpr int span = length + 30;  // with the samples on both sides that 31 taps reach
};

// The samples of a tile in shared memory; neighbouring threads on neighbouring addresses.
template <class Source, bool along_rows>
__global__ void __launch_bounds__(256) fir_pass(Source source, Pass pass, FloatKernel filter, Pixel<Source::channels>* out) {
    using Tile = FirTile<along_rows>;
    using Value = Pixel<Source::channels>;
    __shared__ Value samples[Tile::lines * Tile::span];
    constexpr int step_k = along_rows ? 1 : Tile::lines, step_line = along_rows ? Tile::span : 1;
    const int first = int(along_rows ? blockIdx.x : blockIdx.y) * Tile::length - pass.margin;
    const int reach = filter.half_taps, end = pass.n + pass.margin;
    const auto for_all = [&](int length, auto visit) {
        for (int k = int(threadIdx.x); k < length * Tile::lines; k += Tile::threads)
            along_rows ? visit(k % length, k / length) : visit(k / Tile::lines, k % Tile::lines);
    };
    for (int top = int(along_rows ? blockIdx.y : blockIdx.x) * Tile::lines; top < pass.lines;
         top += int(along_rows ? gridDim.y : gridDim.x) * Tile::lines) {
        for_all(Tile::length + 2 * reach, [&](int k, int l) {
            const ExtendedLine<Source, along_rows> line{source, pass, min(top + l, pass.lines - 1), pass.found_non_finite};
            samples[k * step_k + l * step_line] = line(first - reach + k);
        });
        __syncthreads();
        for_all(Tile::length, [&](int k, int l) {
            if (first + k >= end || top + l >= pass.lines) return;
            const Value* s = samples + (k + reach) * step_k + l * step_line;
            auto sum = filter.taps[0] * s[0];
            for (int m = 1; m <= reach; ++m) sum = sum + filter.taps[m] * (s[-m * step_k] + s[m * step_k]);
            out[size_t(top + l) * pass.across + size_t(first + k + pass.margin) * pass.along] = sum;
        });
        __syncthreads();
    }
}

// x: lines for columns (neighbouring threads on neighbouring addresses), segments for rows; y: the other.
template <class Source, bool along_rows>
__global__ void filter_pass(Source source, Pass pass, FloatKernel filter, Pixel<Source::channels>* out) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int segments = (pass.n + 2 * pass.margin + segment - 1) / segment;
    const int columns = along_rows ? segments : pass.lines, rows = along_rows ? pass.lines : segments;
    if (x >= columns) return;
    for (int y = int(blockIdx.y * blockDim.y + threadIdx.y); y < rows; y += int(gridDim.y * blockDim.y)) {
        const int line = along_rows ? y : x;
        const int first = (along_rows ? x : y) * segment - pass.margin;
        const int last = min(first + segment, pass.n + pass.margin);
        const ExtendedLine<Source, along_rows> samples{source, pass, line, pass.found_non_finite};
        auto* origin = out + line * pass.across + pass.margin * pass.along;
        filter_recursively(samples, filter, origin, pass.along, first, last);
    }
}

// See non_finite.h.
template <class Source>
__global__ void restore_non_finite(Source source, AddressPair extension, TexelArray out, Pixel<Source::channels>* pixels,
                                   const int* found_non_finite) {
    if (!*found_non_finite) return;
    const size_t stride = out.row_bytes / sizeof(*pixels);
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int width = out.width + 2 * out.margin_x, height = out.height + 2 * out.margin_y;
    if (x >= width) return;
    const int column = addressed(extension.x, x - out.margin_x, out.width);
    for (int y = int(blockIdx.y * blockDim.y + threadIdx.y); y < height; y += int(gridDim.y * blockDim.y)) {
        const int row = addressed(extension.y, y - out.margin_y, out.height);
        if (column < 0 || row < 0) continue;
        const auto v = source.load(column, row);
        for (int c = 0; c < Source::channels; ++c)
            if (!is_filterable(v.v[c])) pixels[size_t(y) * stride + x].v[c] = v.v[c];
    }
}

// Blocks for columns × rows threads; the kernels stride over what is beyond the grid's limit in y.
dim3 grid_for(unsigned columns, unsigned rows, dim3 block) {
    return dim3((columns + block.x - 1) / block.x, std::min((rows + block.y - 1) / block.y, 65535u));
}

template <bool along_rows, class Source>
void enqueue(const Source& source, const Pass& pass, const PrefilterKernel& kernel, void* out, cudaStream_t stream) {
    FloatKernel filter{{}, {}, {}, kernel.poles, kernel.horizon_float, kernel.half_taps};
    for (int i = 0; i < kernel.poles; ++i) {
        filter.pole[i] = float(kernel.pole[size_t(i)]);
        filter.gain[i] = float(kernel.gain[size_t(i)]);
    }
    for (int k = 0; k <= kernel.half_taps; ++k) filter.taps[k] = float(kernel.taps[k]);
    auto* pixels = static_cast<Pixel<Source::channels>*>(out);
    const unsigned length = unsigned(pass.n + 2 * pass.margin);
    if (kernel.recursive) {
        const unsigned segments = (length + segment - 1) / segment;
        const dim3 block = along_rows ? dim3(8, 16) : dim3(128, 1);
        const dim3 grid = along_rows ? grid_for(segments, unsigned(pass.lines), block)
                                     : grid_for(unsigned(pass.lines), segments, block);
        filter_pass<Source, along_rows><<<grid, block, 0, stream>>>(source, pass, filter, pixels);
    } else {
        using Tile = FirTile<along_rows>;
        const dim3 tile = along_rows ? dim3(Tile::length, Tile::lines) : dim3(Tile::lines, Tile::length);
        const dim3 grid = along_rows ? grid_for(length, unsigned(pass.lines), tile) : grid_for(unsigned(pass.lines), length, tile);
        fir_pass<Source, along_rows><<<grid, Tile::threads, 0, stream>>>(source, pass, filter, pixels);
    }
    detail::check_launch("prefilter");
}

void filter_in_two_passes(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                          const TexelArray& out, float* out_texels, float* scratch, int* found_non_finite, cudaStream_t stream) {
    const size_t stride = out.row_bytes / (size_t(out.channels) * sizeof(float));
    // Rows first, into the scratch: the image's height, the output's width. A signal has no columns to filter.
    float* const filtered_rows = samples.one_dimensional ? out_texels : scratch;
    const Pass rows{samples.width, samples.height, out.margin_x, extension.x, 1, stride, found_non_finite};
    detail::for_texel_type(samples, [&]<class Sample, int C>() {
        enqueue<true>(LinearSource<Sample, C>(samples), rows, kernel, filtered_rows, stream);
    });
    if (samples.one_dimensional) return;
    TexelArray between = out;
    between.texels = scratch;
    const Pass columns{out.height, out.width + 2 * out.margin_x, out.margin_y, extension.y, stride, 1, found_non_finite};
    detail::for_texel_type(between, [&]<class Sample, int C>() {
        if constexpr (std::is_same_v<Sample, float>)
            enqueue<false>(LinearSource<float, C>(between), columns, kernel, out_texels, stream);
    });
}

}  // namespace

bool needs_scratch(const TexelArray& samples, const PrefilterKernel& kernel) {
    return !samples.one_dimensional && !can_filter_fused(samples, kernel);
}

void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, float* out_texels, float* scratch, int* found_non_finite, CUstream_st* stream) {
    cudaMemsetAsync(found_non_finite, 0, sizeof(int), stream);
    if (can_filter_fused(samples, kernel))
        filter_fused_on_cuda(samples, extension, kernel, out, out_texels, found_non_finite, stream);
    else
        filter_in_two_passes(samples, extension, kernel, out, out_texels, scratch, found_non_finite, stream);
    detail::for_texel_type(samples, [&]<class Sample, int C>() {
        if constexpr (!std::is_integral_v<Sample>) {
            const dim3 block(64, 4);
            const dim3 grid = grid_for(unsigned(out.width + 2 * out.margin_x), unsigned(out.height + 2 * out.margin_y), block);
            // Few blocks: there is seldom anything to do, and then starting them is all the time it takes.
            restore_non_finite<<<dim3(grid.x, std::min(grid.y, std::max(1u, 512 / grid.x))), block, 0, stream>>>(
                LinearSource<Sample, C>(samples), extension, out, reinterpret_cast<Pixel<C>*>(out_texels), found_non_finite);
        }
    });
    detail::check_launch("prefilter");
}

}  // namespace texelscope
