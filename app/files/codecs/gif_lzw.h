#pragma once
// The codes of variable length by which GIF packs the indices of a frame.

#include <cstdint>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

// Indices that a byte of codes can stand for: 4096 in twelve bits.
inline constexpr size_t gif_most_dense = 2731;

// Unpacks at most `count` indices from the joined data blocks: fewer if the codes end or become invalid. `bits`: the
// initial code size, 1 to 8.
std::vector<uint8_t> gif_indices(ByteSpan codes, uint32_t bits, size_t count);

}  // namespace texelscope
