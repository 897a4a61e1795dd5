#pragma once
// Integer samples as floats in the units in which they are stored, for kernels whose weights contain the scale.

#include <cstdint>

namespace texelscope {

// What a stored sample of 1 is worth.
template <class Sample> inline constexpr float unit_of = 1;
template <> inline constexpr float unit_of<uint8_t> = 1.0f / 255;
template <> inline constexpr float unit_of<uint16_t> = 1.0f / 65535;

// An integer below 2²³ in the lowest bits of the float 2²³ is exact, and faster than a conversion.
inline constexpr unsigned level_bits = 0x4b000000u;
__device__ inline float stored_level(unsigned float_bits) { return __uint_as_float(float_bits) - 8388608.0f; }

}  // namespace texelscope
