#pragma once
// The codes of variable length by which GIF packs the indices of a frame.

#include <cstdint>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

// Indices that a byte of codes can stand for: 4096 in twelve bits.
inline constexpr size_t gif_most_dense = 2731;

// Of the joined data blocks, `count` at most: fewer if the codes end, or make no sense any more. `bits`: the initial code
// size, 1 to 8.
std::vector<uint8_t> gif_indices(ByteSpan codes, uint32_t bits, size_t count);

}  // namespace texelscope
