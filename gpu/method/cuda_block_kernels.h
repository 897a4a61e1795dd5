#pragma once
// The kernels whose threads share texels: one for rotated views, one for views without rotation.

#include <cuda_pipeline.h>

#include <algorithm>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace detail {

// The tile kernel for rotated views: a block copies the texels that its pixels read into shared memory, with the address modes
// applied, and evaluates its pixels there. The texels of a tile are floats (Pixel<C>) or, for four channels of 8 bits and
// two taps, as they are stored (PackedTexel).

using PackedTexel = Texel<uint8_t, 4>;

// Few threads share the setup cost among more pixels; tiles of four float channels leave room for few blocks.
template <class InTile> constexpr int tile_threads = sizeof(InTile) == sizeof(Pixel<4>) ? 256 : 128;
template <class InTile> constexpr int tile_step = tile_threads<InTile> / tile_side;  // rows in one step

// Calls visit(row, k) for all k < width of all rows, shared out among the block's threads.
template <int threads, class Visit> __device__ void for_tile(int rows, int width, Visit visit) {
    const unsigned reciprocal = 0xffffffffu / unsigned(width) + 1;  // ⌈2³² / width⌉
    TS_UNROLL_BY(2)
    for (int k = int(threadIdx.x); k < rows * width; k += threads) {
        const int row = width == 1 ? k : int(__umulhi(unsigned(k), reciprocal));
        visit(row, k - row * width);
    }
}

// How a tile's texel is made of a stored one.
template <class InTile, class Source> struct Filling {
    __device__ static InTile texel(const char* line, int column) { return Source::texel(line, column); }
    __device__ static InTile zero() { return InTile::zero(); }
};
template <class Source> struct Filling<PackedTexel, Source> {
    __device__ static PackedTexel texel(const char* line, int column) {
        return reinterpret_cast<const PackedTexel*>(line)[column];
    }
    __device__ static PackedTexel zero() { return {}; }
};

template <class Sample, int C, class InTile>
__device__ void fill_tile(const TexelArray& a, int first_column, int first_row, const TileShape& shape, InTile* tile) {
    constexpr int threads = tile_threads<InTile>;
    constexpr bool as_stored = sizeof(InTile) == sizeof(Texel<Sample, C>);
    using Source = LinearSource<Sample, C>;
    using Fill = Filling<InTile, Source>;
    const Source source(a);
    const int stored_column = first_column + a.margin_x, stored_row = first_row + a.margin_y;
    // Not by the bytes of a row: its padding is not ours to read, and nothing need follow the last row of a view.
    const bool within = stored_column >= 0 && stored_column + shape.columns <= a.width + 2 * a.margin_x &&
                        stored_row >= 0 && stored_row + shape.rows <= a.height + 2 * a.margin_y;
    const char* const from = static_cast<const char*>(a.texels) + ptrdiff_t(stored_row) * ptrdiff_t(a.row_bytes) +
                             ptrdiff_t(stored_column) * ptrdiff_t(sizeof(Texel<Sample, C>));
    if constexpr (as_stored)
        if (shape.vectors && within) {
            constexpr int texels = int(sizeof(float4) / sizeof(InTile));
            for_tile<threads>(shape.rows, shape.columns / texels, [&](int r, int k) {
                __pipeline_memcpy_async(reinterpret_cast<float4*>(tile + r * shape.pitch) + k,
                                        reinterpret_cast<const float4*>(from + r * ptrdiff_t(a.row_bytes)) + k,
                                        sizeof(float4));
            });
            __pipeline_commit();
            __pipeline_wait_prior(0);
            return;
        }
    if (within) {
        for_tile<threads>(shape.rows, shape.columns, [&](int r, int c) {
            tile[r * shape.pitch + c] = Fill::texel(from + r * ptrdiff_t(a.row_bytes), c);
        });
    } else {
        for_tile<threads>(shape.rows, shape.columns, [&](int r, int c) {
            const int column = source.column(first_column + c), row = source.row(first_row + r);
            const char* const line = static_cast<const char*>(a.texels) + size_t(max(row, 0)) * a.row_bytes;
            tile[r * shape.pitch + c] = column < 0 || row < 0 ? Fill::zero() : Fill::texel(line, column);
        });
    }
}

// One pixel from the tile. `line` is its first tap; the weights depend on the fractions t_x and t_y.
template <bool careful, class Method, int C>
__device__ Pixel<C> sum_in_tile(const Method& method, const Pixel<C>* line, int pitch, float t_x, float t_y) {
    constexpr int taps = Method::taps;
    float wx[taps], wy[taps];
    method.weights(t_x, wx);
    method.weights(t_y, wy);
    auto sum = Pixel<C>::zero();
    TS_UNROLL_BY(rows_at_once<taps>)
    for (int r = 0; r < taps; ++r, line += pitch) {
        if (careful && wy[r] == 0) continue;
        auto along = Pixel<C>::zero();
        TS_UNROLL
        for (int c = 0; c < taps; ++c)
            if (!careful || wx[c] != 0) along.add_scaled(wx[c], line[c]);
        sum.add_scaled(wy[r], along);
    }
    return sum;
}

// One pixel from a tile of packed texels, which are all finite. The weights contain what a level is worth.
template <class Method>
__device__ Pixel<4> sum_in_tile(const Method& method, const PackedTexel* line, int pitch, float t_x, float t_y) {
    constexpr int taps = Method::taps;
    float wx[taps], wy[taps];
    method.weights(t_x, wx);
    method.weights(t_y, wy);
    auto sum = Pixel<4>::zero();
    TS_UNROLL
    for (int r = 0; r < taps; ++r, line += pitch) TS_UNROLL
    for (int c = 0; c < taps; ++c) {
        const float weight = wx[c] * (wy[r] * unit_of<uint8_t>);
        const unsigned word = reinterpret_cast<const unsigned&>(line[c]);
        TS_UNROLL
        for (int k = 0; k < 4; ++k) sum.v[k] += weight * stored_level(__byte_perm(word, level_bits, 0x7440u + k));
    }
    return sum;
}

// One pixel from a tile of floats, slower: taps of weight zero are not read, as a NaN there is outside the method's
// support.
template <class Method, int C>
__device__ __noinline__ Pixel<C> sum_again(Method method, const Pixel<C>* line, int pitch, float t_x, float t_y) {
    return sum_in_tile<true>(method, line, pitch, t_x, t_y);
}

// False if a channel is NaN or infinite; sometimes also if their sum is too large.
template <int C> __device__ bool looks_finite(const Pixel<C>& p) {
    float sum = p.v[0];
    TS_UNROLL
    for (int c = 1; c < C; ++c) sum += p.v[c];
    return fabsf(sum) <= 3e38f;
}

template <class Method, int C>
__device__ Pixel<C> value_in_tile(const Method& method, const Pixel<C>* line, int pitch, float t_x, float t_y) {
    const Pixel<C> value = sum_in_tile<false>(method, line, pitch, t_x, t_y);
    return looks_finite(value) ? value : sum_again(method, line, pitch, t_x, t_y);
}
template <class Method>
__device__ Pixel<4> value_in_tile(const Method& method, const PackedTexel* line, int pitch, float t_x, float t_y) {
    return sum_in_tile(method, line, pitch, t_x, t_y);
}

// A coordinate relative to the tile's first texel, in 32 bits.
struct TileCoordinate {
    unsigned at, step;

    __device__ TileCoordinate(long long position, long long step_down, int first, int bits)
        : at(unsigned((position - ((long long)first << FixedAffine::bits)) >> (FixedAffine::bits - bits))),
          step(unsigned(-(-step_down >> (FixedAffine::bits - bits)))) {}  // rounded up: never before the first texel
};

// Where the taps of a method begin in the tile, which itself begins (taps − 1) / 2 texels before the first position.
template <int taps> __device__ AxisPosition locate_in_tile(unsigned at, int bits, float unit) {
    const unsigned shifted = taps % 2 == 0 ? at : at + (1u << (bits - 1));
    const unsigned part = shifted & ((1u << bits) - 1);
    return {int(shifted >> bits), taps % 2 == 0 ? float(part) * unit : float(int(part) - (1 << (bits - 1))) * unit};
}

template <class Method, int C, OutputKind kind, class InTile>
__global__ void __launch_bounds__(tile_threads<InTile>)
    tile_kernel(Method method, ResampleJob job, FixedAffine f, TileShape shape) {
    extern __shared__ float4 shared[];
    constexpr int taps = Method::taps, before = (taps - 1) / 2, down = tile_step<InTile>;
    constexpr int aligned = int(sizeof(float4) / sizeof(InTile));  // texels of a vector
    auto* const tile = reinterpret_cast<InTile*>(shared);
    const int i0 = int(blockIdx.x) * tile_side, j0 = int(blockIdx.y) * tile_side;
    const int lane = int(threadIdx.x) % tile_side, warp = int(threadIdx.x) / tile_side;

    // The first texel that any pixel of the block can read.
    const auto least = [](long long along, long long across) {
        return (along < 0 ? along : 0) * (tile_side - 1) + (across < 0 ? across : 0) * (tile_side - 1);
    };
    const long long x0 = f.x0 + i0 * f.xx + j0 * f.xy, y0 = f.y0 + i0 * f.yx + j0 * f.yy;
    int first_column = int((x0 + least(f.xx, f.xy)) >> FixedAffine::bits) - before;
    const int first_row = int((y0 + least(f.yx, f.yy)) >> FixedAffine::bits) - before;
    if (shape.vectors) first_column -= (first_column + job.source.margin_x) & (aligned - 1);
    if constexpr (std::is_same_v<InTile, PackedTexel>) {
        fill_tile<uint8_t, C>(job.source, first_column, first_row, shape, tile);
    } else {
        switch (job.source.type) {
            case SampleType::u8: fill_tile<uint8_t, C>(job.source, first_column, first_row, shape, tile); break;
            case SampleType::u16: fill_tile<uint16_t, C>(job.source, first_column, first_row, shape, tile); break;
            case SampleType::f16: fill_tile<HalfBits, C>(job.source, first_column, first_row, shape, tile); break;
            default: fill_tile<float, C>(job.source, first_column, first_row, shape, tile); break;
        }
    }
    __syncthreads();

    const int i = i0 + lane;
    if (i >= job.output.width) return;
    const bool clips =
        f.clips && (first_column < 0 || first_row < 0 || first_column + shape.columns > job.source.width ||
                    first_row + shape.rows > job.source.height);
    const int bits = shape.bits;
    const float unit = 1.0f / float(1u << bits);
    long long x = x0 + lane * f.xx + warp * f.xy, y = y0 + lane * f.yx + warp * f.yy;
    TileCoordinate column(x, down * f.xy, first_column + before, bits), row(y, down * f.yy, first_row + before, bits);
    PixelWriter<C, kind> writer(job.output, i, j0 + warp);
    for (int k = min(tile_side, job.output.height - j0) - warp; k > 0; k -= down) {
        const AxisPosition at_x = locate_in_tile<taps>(column.at, bits, unit),
                           at_y = locate_in_tile<taps>(row.at, bits, unit);
        const InTile* const line = tile + at_y.first * shape.pitch + at_x.first;
        const Pixel<C> value = value_in_tile(method, line, shape.pitch, at_x.t, at_y.t);
        if (clips &&
            (is_outside_axis(split(f, x), job.source.width) || is_outside_axis(split(f, y), job.source.height)))
            writer.write_background();
        else writer.write(value);
        writer.move_down(down);
        column.at += column.step;
        row.at += row.step;
        if (clips) {
            x += down * f.xy;
            y += down * f.yy;
        }
    }
}

template <int C, OutputKind kind, class InTile, class Method>
void launch_tile_of(const Method& method, const ResampleJob& job, const FixedAffine& f, const TileShape& shape,
                    const DeviceQueue& queue) {
    const auto kernel = tile_kernel<Method, C, kind, InTile>;
    const dim3 blocks(unsigned(job.output.width + tile_side - 1) / tile_side,
                      unsigned(job.output.height + tile_side - 1) / tile_side);
    // One size for every launch, so that host threads do not lower each other's limit.
    allow_shared_memory(work::tile, kernel, std::min(largest_tile_bytes, queue.limits.shared_bytes_per_block));
    launch_kernel(work::tile, kernel, blocks, tile_threads<InTile>, shape.bytes(C), queue.stream, method, job, f,
                  shape);
}

template <int C, OutputKind kind, class Method>
void launch_tile(const Method& method, const ResampleJob& job, const FixedAffine& f, const TileShape& shape,
                 const DeviceQueue& queue) {
    if constexpr (has_packed_tiles(Method::taps, C))
        if (shape.packed) return launch_tile_of<C, kind, PackedTexel>(method, job, f, shape, queue);
    launch_tile_of<C, kind, Pixel<C>>(method, job, f, shape, queue);
}

// A kernel for views without rotation: a thread marches down a column of the output and keeps the sums along the last
// few rows of texels, which neighbouring pixels share. Zoomed in, a pixel costs only the taps of a column.

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

// `batch`: of all its images.
template <class Method, int C, OutputKind kind, bool batch>
__global__ void __launch_bounds__(march_threads) march_kernel(Method method, ResampleJob job, FixedAffine f) {
    __shared__ MarchRow<Method::taps> rows[march_rows];
    const int top = int(blockIdx.y) * march_rows, count = min(march_rows, job.output.height - top);
    if constexpr (batch) take_image(job);
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

template <int C, OutputKind kind, bool batch, class Method>
void launch_march(const Method& method, const ResampleJob& job, const FixedAffine& f, const DeviceQueue& queue) {
    const dim3 blocks(unsigned(job.output.width + march_threads - 1) / march_threads,
                      unsigned(job.output.height + march_rows - 1) / march_rows, unsigned(job.source.images));
    launch_kernel(work::march, march_kernel<Method, C, kind, batch>, blocks, march_threads, 0, queue.stream, method,
                  job, f);
}

}  // namespace detail
}  // namespace texelscope
