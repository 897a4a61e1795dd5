#pragma once
// A method's weights as polynomials, for the CPU's vector code.

#include "gpu/method/method_info.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/widened.h"

namespace texelscope {

// Fitted to the method's float64 weight function over half a sample, where every function here is analytic: exact for
// the piecewise polynomials, else to 5e-8; with float32 coefficients to 2.5e-7, which is checked. Weights at the
// samples themselves are exact. `taps` is 0 where that is not reached, or the function is not symmetric.
simd::AxisWeights axis_weights(const MethodInfo& method, const MethodParameters& parameters);

// Room for the weights of a widened filter in whole vectors.
inline constexpr int widened_capacity = (max_widened_taps + 15) / 16 * 16;

// As widened_weights.
int widened_weights(const simd::Kernels& kernels, const AxisFilter& filter, AddressMode mode, double x, int& first,
                    float (&w)[widened_capacity]);

}  // namespace texelscope
