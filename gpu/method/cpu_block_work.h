#pragma once
// What BlockWriter computes for a block of pixels, and the numbers that its files share.

#include <array>
#include <cstddef>
#include <vector>

#include "gpu/method/cpu_blocks.h"
#include "gpu/method/output.h"

namespace texelscope {

// Pixels of whole vectors.
inline int rounded_up(int count) { return (count + 15) / 16 * 16; }

inline size_t texel_bytes(const TexelArray& a) { return size_t(a.channels) * size_t(bytes_per_sample(a.type)); }

struct BlockWriter::Work {
    int count = 0, padded = 0;  // pixels, and rounded up to whole vectors
    bool elsewhere = false;     // are any positions not inside?
    bool finite = true;         // are all values?
    std::array<double, block> x, y;
    std::array<PixelPlace, block> place;
    int beyond[block], pixels_beyond = 0, pixel_inside = -1;  // neither stored nor folded; one of those that are
    simd::Block taps, patches;
    alignas(64) float values[block * 4 + simd::padding];
    alignas(64) float patch_values[block * 4 + simd::padding];
    std::vector<std::byte> patch_texels;
};

}  // namespace texelscope
