#pragma once
// Which kernel resamples a job, and why: a function of only the job, its method's size and what the device can do.

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "gpu/core/machine.h"
#include "gpu/method/block_shapes.h"
#include "gpu/method/box.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

// The texels that a block of the tile kernel keeps in shared memory.

inline constexpr int tile_side = 32;  // pixels of a block along each axis

// More would leave room for only a single block on a multiprocessor.
inline constexpr size_t largest_tile_bytes = 100 << 10;

// The texels of a block's tile: as many for every block.
struct TileShape {
    int columns = 0, rows = 0;
    int pitch = 0;         // texels from one row to the next
    int bits = 32;         // for the fraction of a position in the tile, in 32 bits
    bool packed = false;   // texels are kept as they are stored, 32 bits each, else as floats
    bool vectors = false;  // texels are copied in groups of 16 bytes

    size_t bytes(int channels) const {
        return size_t(pitch) * size_t(rows) * (packed ? sizeof(uint32_t) : size_t(channels) * sizeof(float));
    }
};

// With two taps, so few texels are read that they are better converted for each pixel than when they are copied.
constexpr bool has_packed_tiles(int taps, int channels) { return taps == 2 && channels == 4; }

// Upper bounds from the view's steps over a block, whose corners are `tile_side` − 1 pixels apart.
inline TileShape tile_shape(const TexelArray& a, const Affine& view, int taps) {
    const auto extent = [&](double along, double across) {
        return int(std::fmin(1e6, std::ceil((std::abs(along) + std::abs(across)) * (tile_side - 1)))) + taps + 2;
    };
    TileShape shape;
    shape.columns = extent(view.xx, view.xy);
    shape.rows = extent(view.yx, view.yy);
    for (int most = shape.columns > shape.rows ? shape.columns : shape.rows; most > 0; most /= 2) --shape.bits;
    shape.packed = has_packed_tiles(taps, a.channels) && a.type == SampleType::u8;
    // Pixels side by side mostly read texels side by side: then rows that start in the same bank keep them apart. In a
    // column an odd pitch does.
    const int words = shape.packed ? 1 : a.channels, banks = 32 / words, lane = 4 / words;
    const bool flat = std::abs(view.xx) >= std::abs(view.yx);
    shape.vectors = flat && (shape.packed || a.type == SampleType::f32) && a.row_bytes % 16 == 0 &&
                    reinterpret_cast<uintptr_t>(a.texels) % 16 == 0;
    if (shape.vectors)
        shape.columns = (shape.columns + 2 * (lane - 1)) / lane * lane;  // whole vectors, wherever they begin
    shape.pitch = flat ? (shape.columns + banks - 1) / banks * banks : shape.columns | 1;
    return shape;
}

// Threads of a block of the direct kernel, and rows of pixels per thread.
inline constexpr int direct_columns = 32, direct_rows = 8;

// Pixels per thread of the direct kernel; 1: the simple kernel is as fast.
constexpr int pixels_of_lookup(int taps) { return taps <= 2 ? 4 : 1; }
constexpr int pixels_of_filtering(int fetches) { return fetches <= 1 ? 8 : fetches == 2 ? 4 : 1; }
constexpr int pixels_of_linear_memory(int taps) { return taps <= 2 ? 3 : 1; }

enum class WeightsFrom { method, table, distance, own_kernel, long_taps };

struct LongTapsOfJob {
    const LongTaps &x, &y;
    const LongPasses& passes;
};

// What of a job decides.
struct KernelQuestion {
    const ResampleJob& job;
    WeightsFrom weights = WeightsFrom::method;
    // Taps along each axis, in the form that is computed; by default as a GPU computes them; 0: no such form (CPU).
    std::optional<int> taps = {};
    int fetches = 0;
    const TabulatedJob* tabulated = nullptr;   // if the weights are from a table
    const LongTapsOfJob* long_taps = nullptr;  // if they are taps of any length

    // By the weights of a table. Refers to the job.
    static KernelQuestion of(const TabulatedJob& job) { return {job.job, WeightsFrom::table, 0, 0, &job}; }
    // By taps of any length. Refers to them, too.
    static KernelQuestion of(const ResampleJob& job, const LongTapsOfJob& taps) {
        return {job, WeightsFrom::long_taps, 0, 0, nullptr, &taps};
    }
};

// What of a device decides.
struct DeviceFacts {
    const DeviceLimits* gpu = nullptr;  // null: the CPU
    // Both are asked only if it depends on them, for each may take long; if empty, a texture cannot and launch_rotated() can.
    std::function<bool()> has_texture = {};  // a texture of the job's texels is there or can be made
    bool (*has_matrix_code)() = nullptr;     // launch_rotated() can run
};

struct KernelChoice : ChosenKernel {
    FetchPath path = FetchPath::automatic;  // that the job is to be given: its own, or lookup instead of `auto`
    bool folds = false;                     // texture coordinates
    std::optional<FixedAffine> fixed;       // positions for direct, march and tile

    // For the kernel of this name.
    TileShape tile;
    ShrinkShape shrink;
    RotatedShape rotated;
    RotatedAnyShape rotated_any;
    BoxShape box;
    std::shared_ptr<const Boxes> boxes;  // of taps of any length

    // The simple kernel writes NaN outside by itself; direct, march and tile leave it to launch_nan_outside().
    bool needs_nan_outside() const { return kernel != ResampleKernel::simple && fixed->nan_outside; }
};

KernelChoice choose(const KernelQuestion& question, const DeviceFacts& device);

}  // namespace texelscope
