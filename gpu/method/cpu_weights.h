#pragma once
// Weights of widened filters, by the CPU's vector code.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/widened.h"

namespace texelscope {

// Room for the weights of a widened filter in whole vectors.
inline constexpr int widened_capacity = (max_widened_taps + 15) / 16 * 16;

// Like widened_weights.
int widened_weights(const simd::Kernels& kernels, const AxisFilter& filter, AddressMode mode, double x, int& first,
                    float (&w)[widened_capacity]);

}  // namespace texelscope
