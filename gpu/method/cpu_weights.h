#pragma once
// Weights from tables, by the CPU's vector code.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

// Room for the weights along an axis in whole vectors.
inline constexpr int tabulated_capacity = (max_widened_taps + 15) / 16 * 16;

// Like tabulated_weights.
int tabulated_weights(const simd::Kernels& kernels, const AxisFilter& filter, AddressMode mode, double x, int& first,
                      float (&w)[tabulated_capacity]);

}  // namespace texelscope
