#pragma once
// What float32 loses on an exact path, by prefilter.
//
// 2e-6 for images in [0, 1] holds for the exact prefilter of every method, whose coefficients are up to 56 times the
// samples (quintic, both axes). A FIR of three taps, normalised to sum 1, has a gain of 762 for the quintic: useless,
// but it was requested, and float32 is coarser in proportion.

#include "gpu/method/spec.h"

namespace texelscope::test {

double exact_tolerance(const MethodSpec& spec);

}  // namespace texelscope::test
