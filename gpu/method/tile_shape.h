#pragma once
// The texels that a block of the tile kernel keeps in shared memory.

#include <cmath>
#include <cstdint>

#include "gpu/method/resample_job.h"

namespace texelscope {

inline constexpr int tile_side = 32;  // pixels of a block along each axis

// More would leave room for only a single block on a multiprocessor.
inline constexpr size_t largest_tile_bytes = 100 << 10;

// The same number for all blocks.
struct TileShape {
    int columns = 0, rows = 0;
    int pitch = 0;         // texels from one row to the next
    int bits = 32;         // for the fraction of a position in the tile, in 32 bits
    bool vectors = false;  // float texels are stored in groups of 16 bytes

    size_t bytes(int channels) const { return size_t(pitch) * size_t(rows) * size_t(channels) * sizeof(float); }
};

// Upper bounds from the view's steps over a block, whose corners are `tile_side` − 1 pixels apart.
inline TileShape tile_shape(const TexelArray& a, const Affine& view, int taps) {
    const auto extent = [&](double along, double across) {
        return int(std::fmin(1e6, std::ceil((std::abs(along) + std::abs(across)) * (tile_side - 1)))) + taps + 2;
    };
    TileShape shape;
    shape.columns = extent(view.xx, view.xy);
    shape.rows = extent(view.yx, view.yy);
    for (int most = shape.columns > shape.rows ? shape.columns : shape.rows; most > 0; most /= 2) --shape.bits;
    // Pixels side by side mostly read texels side by side: then rows that start in the same bank keep them apart. In a
    // column an odd pitch does.
    const int banks = 32 / a.channels, lane = 4 / a.channels;
    const bool flat = std::abs(view.xx) >= std::abs(view.yx);
    shape.vectors =
        flat && a.type == SampleType::f32 && a.row_bytes % 16 == 0 && reinterpret_cast<uintptr_t>(a.texels) % 16 == 0;
    if (shape.vectors)
        shape.columns = (shape.columns + 2 * (lane - 1)) / lane * lane;  // whole vectors, wherever they begin
    shape.pitch = flat ? (shape.columns + banks - 1) / banks * banks : shape.columns | 1;
    return shape;
}

}  // namespace texelscope
