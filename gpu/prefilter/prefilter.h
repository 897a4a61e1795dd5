#pragma once
// The prefilter on the CPU and on a GPU.

#include <algorithm>

#include "gpu/core/device_limits.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Writes the coefficients of `samples` (no margin, linear memory) as f32 or f16 texels of the same number of channels
// into `out`, whose type, margins, size and row_bytes are set and whose texels point to zeroed memory `out_texels`.
// `extension` is how the samples continue beyond their edges. Threaded. Sums are float64. Throws OutOfMemory.
void prefilter_on_cpu(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                      const TexelArray& out, void* out_texels,
                      const simd::Kernels& kernels = simd::kernels(simd::best_instructions()));

// Prefilter on the GPU.

// Like prefilter_on_cpu, over device memory, enqueued, in a single kernel. Sums are float32. `out` is laid out by
// coefficient_array. Throws Error if a launch is refused.
void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// The prefilter on the GPU as a convolution, in a single pass.

// Like prefilter_on_cuda. A FIR with its taps; a recursion, whose inverse falls off exponentially, with as many as
// matter to float32 (|z|^k < 2⁻²⁶): up to largest_pole, which check_poles() demands, no more than 65.
void convolve_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                      const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// The exact prefilter of one pole on the GPU in a single pass.

// Like prefilter_on_cuda, if can_filter_fused(). Margins must be multiples of 4 texels, and out.row_bytes of 16 bytes.
void filter_fused_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                          const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// Which code prefilters on a GPU and in what shape: functions of only the job and the device's limits.

enum class PrefilterCode { fused, convolution };

// The fused kernel accepts two-dimensional images and a recursion of one pole with |z| up to 0.36.
inline bool can_filter_fused(const TexelArray& samples, const PrefilterKernel& kernel) {
    return kernel.recursive && kernel.poles == 1 && kernel.horizon_float <= 18 && !samples.one_dimensional;
}

// A recursion down the columns of a small image is one long chain, while a convolution keeps the whole device busy. The
// crossover was measured for one and four channels (docs/performance-notebook.md).
inline PrefilterCode choose_prefilter(const TexelArray& samples, const PrefilterKernel& kernel) {
    const bool small = (long long)samples.width * samples.height <= (1 << 20) / (samples.channels * samples.channels);
    return !small && can_filter_fused(samples, kernel) ? PrefilterCode::fused : PrefilterCode::convolution;
}

// A block of the convolution: taps on each side that it has room for, and rows of coefficients.
struct ConvolutionTile {
    int reach, height;
    bool operator==(const ConvolutionTile&) const = default;
};

inline constexpr int longest_convolution = 32;  // taps on each side

// Shared memory of a tile: the samples of one channel, those filtered along rows, and the indices of rows and columns.
constexpr size_t shared_bytes(const ConvolutionTile& tile) {
    constexpr int width = 64;
    const size_t columns = size_t(width + 2 * tile.reach), rows = size_t(tile.height + 2 * tile.reach);
    return sizeof(float) * rows * ((columns | 1) + (width | 1)) + sizeof(int) * (columns + rows);
}

// `reach`: taps on each side, up to longest_convolution. Tall tiles read fewer samples twice, if there is room for
// them: 64 KiB are available on every device.
constexpr ConvolutionTile choose_tile(int reach, const DeviceLimits& limits) {
    const int room = reach <= 3 ? 3 : reach <= 7 ? 7 : reach <= 15 ? 15 : reach <= 24 ? 24 : longest_convolution;
    const ConvolutionTile tall{room, 64};
    if (room < 24 || shared_bytes(tall) <= limits.shared_bytes_per_block) return tall;
    return {room, room == 24 ? 32 : 16};
}

// Rows that a block of the fused kernel writes: as many segments as fill the device once. A block has this many threads
// and this much shared memory; `most_blocks` on one multiprocessor, by its registers.
inline int fused_segment(int height, int strips, int threads, size_t shared, int most_blocks, int chunk, int reach,
                         const DeviceLimits& limits) {
    constexpr size_t reserved = 1024;  // by the system, in each block
    const int by_memory = int(limits.shared_bytes_per_multiprocessor / (shared + reserved));
    const int by_threads = limits.threads_per_multiprocessor / threads;
    const int blocks = std::max(1, std::min({most_blocks, by_memory, by_threads}));
    const int wanted = std::max(1, limits.multiprocessors * blocks / strips);
    const int rows = (height + wanted - 1) / wanted;
    return std::max((rows + chunk - 1) / chunk * chunk, reach);
}

}  // namespace texelscope
