#pragma once
// Which kernel resamples a job on a GPU: a function of only the job, the method's size and the device's limits.

#include <optional>

#include "gpu/core/device_limits.h"
#include "gpu/method/fixed_affine.h"
#include "gpu/method/tile_shape.h"

namespace texelscope {

enum class ResampleKernel {
    simple,  // any job, one thread per pixel
    direct,  // several pixels per thread, each separately
    march,   // views without rotation: down a column, sharing sums along rows
    tile     // rotated views: texels of a block in shared memory
};

// Threads of a block of the direct kernel, and rows of pixels per thread.
inline constexpr int direct_columns = 32, direct_rows = 8;

// Pixels per thread of the direct kernel; 1: the simple kernel is as fast.
constexpr int pixels_of_lookup(int taps) { return taps <= 2 ? 4 : 1; }
constexpr int pixels_of_filtering(int fetches) { return fetches <= 1 ? 8 : fetches == 2 ? 4 : 1; }
constexpr int pixels_of_linear_memory(int taps) { return taps <= 2 ? 3 : 1; }

struct KernelChoice {
    ResampleKernel kernel = ResampleKernel::simple;
    bool folds = false;                // texture coordinates
    TileShape tile;                    // for the tile kernel
    std::optional<FixedAffine> fixed;  // positions for all kernels except the simple one

    // The simple kernel writes NaN outside by itself; all others leave it to launch_nan_outside().
    bool needs_nan_outside() const { return kernel != ResampleKernel::simple && fixed->nan_outside; }
};

// Whether an address mode is not the texture unit's.
inline bool folds_texture_coordinates(const ResampleJob& job) {
    const AddressPair& address = job.source.address;
    return job.path() != FetchPath::global &&
           (texture_address(address.x) != address.x || texture_address(address.y) != address.y);
}

// taps, fetches: along each axis, as the method has them. The fastest kernel was measured, see
// docs/performance-notebook.md: marching without rotation, unless two taps of a row serve no other row and are cheap in
// tiles; tiles with rotation; with one tap nothing is shared. Only these two write linear light.
inline KernelChoice choose_kernel(const ResampleJob& job, int taps, int fetches, const DeviceLimits& limits) {
    constexpr int most_rows = int(most_blocks_down) * direct_rows;
    const bool fast = !job.simple && !job.source.one_dimensional && job.output.height <= most_rows;
    KernelChoice choice;
    choice.folds = folds_texture_coordinates(job);
    if (fast) choice.fixed = fixed_affine(job);
    if (!choice.fixed) return choice;
    if (job.spec.path == FetchPath::automatic) {
        choice.tile = tile_shape(job.source, job.positions, taps);
        const size_t bytes = choice.tile.bytes(job.source.channels);
        const bool fits = taps > 1 && bytes <= largest_tile_bytes && bytes <= limits.shared_bytes_per_block;
        const bool shares_rows = !choice.tile.packed || std::abs(job.positions.yy) < 1;
        if (job.positions.axis_aligned() && (shares_rows || !fits)) {
            choice.kernel = ResampleKernel::march;
            return choice;
        }
        if (fits) {
            choice.kernel = ResampleKernel::tile;
            return choice;
        }
    }
    const int pixels = job.path() == FetchPath::global   ? pixels_of_linear_memory(taps)
                       : job.path() == FetchPath::lookup ? pixels_of_lookup(taps)
                                                         : pixels_of_filtering(fetches);
    if (pixels > 1 && !job.output.encode_srgb) choice.kernel = ResampleKernel::direct;
    return choice;
}

}  // namespace texelscope
