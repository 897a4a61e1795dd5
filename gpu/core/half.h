#pragma once
// IEEE 754 binary16 stored in a uint16_t, for host and device.

#include <cstdint>
#include <cstring>

#include "gpu/core/platform.h"

#if defined(__CUDA_ARCH__)
#include <cuda_fp16.h>
#endif

namespace texelscope {

// Exact for every bit pattern; NaN and infinity are preserved.
TS_HD float half_to_float(uint16_t bits) {
#if defined(__CUDA_ARCH__)
    return __half2float(__ushort_as_half(bits));
#else
    const uint32_t sign = uint32_t(bits & 0x8000u) << 16;
    const uint32_t magnitude = bits & 0x7fffu;
    uint32_t result;
    if (magnitude >= 0x7c00u) {  // infinity or NaN
        result = sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13);
    } else if (magnitude >= 0x0400u) {  // normal: rebias the exponent from 15 to 127
        result = sign | ((magnitude << 13) + 0x38000000u);
    } else {  // subnormal: magnitude * 2^-24 is exact in float32
        const float value = float(magnitude) * 0x1p-24f;
        uint32_t value_bits;
        std::memcpy(&value_bits, &value, sizeof value_bits);
        result = sign | value_bits;
    }
    float value;
    std::memcpy(&value, &result, sizeof value);
    return value;
#endif
}

// Rounds to nearest even; overflows to infinity; NaN stays NaN.
TS_HD uint16_t float_to_half(float value) {
#if defined(__CUDA_ARCH__)
    return __half_as_ushort(__float2half_rn(value));
#else
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return uint16_t(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return uint16_t(sign | 0x7c00u);  // rounds to 65536 or beyond
    if (magnitude < 0x38800000u) {                                  // below 2^-14: subnormal half
        float scaled;
        std::memcpy(&scaled, &magnitude, sizeof scaled);
        scaled += 0.5f;  // 0.5 has an ulp of 2^-24, the step of subnormal halves, and rounds to nearest even
        uint32_t scaled_bits;
        std::memcpy(&scaled_bits, &scaled, sizeof scaled_bits);
        return uint16_t(sign | (scaled_bits - 0x3f000000u));
    }
    const uint32_t odd = (magnitude >> 13) & 1u;
    return uint16_t(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
#endif
}

}  // namespace texelscope
