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
    bool packed = false;   // texels are kept as they are stored, 32 bits each, else as floats
    bool vectors = false;  // texels are copied in groups of 16 bytes

    size_t bytes(int channels) const {
        return size_t(pitch) * size_t(rows) * (packed ? sizeof(uint32_t) : size_t(channels) * sizeof(float));
    }
};

// Of two taps so few texels are read that they are better converted for each pixel than when they are copied.
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

}  // namespace texelscope
