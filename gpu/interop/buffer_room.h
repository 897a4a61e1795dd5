#pragma once
// How large a pixel buffer is made, so that a window that is dragged to another size needs few new ones: making one and
// registering it with CUDA takes milliseconds.

#include <bit>
#include <cstddef>

namespace texelscope {

inline constexpr size_t least_room = size_t(1) << 20;

// At least `bytes`, in steps of a quarter to an eighth of it.
constexpr size_t rounded_room(size_t bytes) {
    if (bytes <= least_room) return least_room;
    const size_t step = std::bit_floor(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
}

// The new size of a buffer of `held` bytes (0: none yet) if `bytes` are needed: it stays until it is too small, or
// twice too large.
constexpr size_t buffer_room(size_t bytes, size_t held) {
    const size_t wanted = rounded_room(bytes);
    return bytes <= held && held <= 2 * wanted ? held : wanted;
}

}  // namespace texelscope
