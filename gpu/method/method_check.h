#pragma once
// What every backend requires of a method: checked once, when it registers itself.

#include <span>

#include "gpu/method/method_info.h"
#include "gpu/method/paths.h"

namespace texelscope {

// Poles that the prefilters accept, and the largest magnitude of one: 24 taps on each side, as many as the GPU's
// convolution has room for, then leave out less than float32 resolves.
inline constexpr int most_poles = 2;
inline constexpr double largest_pole = 0.47;

// Throws Error for more poles than that, or any not between −largest_pole and largest_pole, or 0.
void check_poles(std::span<const double> poles);

// Throws Error for a FIR whose number of taps is even, or not within min_taps … max_taps.
void check_prefilter(const Prefilter& prefilter);

// Throws Error for a record that some backend could not compute, or whose parameters are inconsistent.
void check_method(const MethodInfo& method);

}  // namespace texelscope
