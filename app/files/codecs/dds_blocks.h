#pragma once
// The blocks BC1 to BC5 of Direct3D 10, "Block compression": 4×4 pixels each.

#include <array>
#include <cstdint>

#include "app/files/bytes/raster.h"

namespace texelscope {

enum class DdsBlock { none, bc1, bc2, bc3, bc4, bc4_signed, bc5, bc5_signed };

constexpr size_t bytes_of(DdsBlock block) {
    using enum DdsBlock;
    return block == bc1 || block == bc4 || block == bc4_signed ? 8 : 16;
}
constexpr int channels_of(DdsBlock block) {
    using enum DdsBlock;
    return block == bc4 || block == bc4_signed ? 1 : block == bc5 || block == bc5_signed ? 2 : 4;
}
constexpr bool is_signed(DdsBlock block) { return block == DdsBlock::bc4_signed || block == DdsBlock::bc5_signed; }

// The 16 pixels of a block, row by row, with the block's channels: in 0…1, or in −1…1 if signed.
std::array<float, 64> unpacked(DdsBlock block, ByteSpan bytes);

}  // namespace texelscope
