#pragma once
// What every backend requires of a method: checked once, when it registers itself.

#include <span>

#include "gpu/method/method_info.h"
#include "gpu/method/poles.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Throws Error for more poles than most_poles, for one not between −largest_pole and largest_pole, or 0, and for two
// that are not least_distance_of_poles apart.
void check_poles(std::span<const double> poles);

// Throws Error for a FIR whose number of taps is even, or not within min_taps … max_taps.
void check_prefilter(const Prefilter& prefilter);

// Throws Error for a record that some backend could not compute, or whose parameters are inconsistent.
void check_method(const MethodInfo& method);

}  // namespace texelscope
