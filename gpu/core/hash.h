#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace texelscope {

// FNV-1a of 64 bits, on from `hash`. It tells what is unlike by accident apart, not what is made to look alike.
inline uint64_t fnv1a(std::span<const std::byte> bytes, uint64_t hash = 0xCBF29CE484222325u) {
    for (const std::byte b : bytes) hash = (hash ^ std::to_integer<uint64_t>(b)) * 0x100000001B3u;
    return hash;
}

}  // namespace texelscope
