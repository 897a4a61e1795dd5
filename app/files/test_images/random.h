#pragma once
// Pseudo-random numbers that are the same everywhere. Internal to this folder.

#include <cstdint>

namespace texelscope {

// SplitMix64 (Steele, Lea & Flood 2014): the i-th number is a hash of seed + i·γ, so it can also be read out of order.
inline uint64_t random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [0, 1), a multiple of 2⁻⁵³.
inline double random_unit(uint64_t seed, uint64_t index) { return double(random_bits(seed, index) >> 11) * 0x1p-53; }

}  // namespace texelscope
