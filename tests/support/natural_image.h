#pragma once
// An image with the statistics of natural ones.

#include <cstdint>

#include "gpu/core/image.h"

namespace texelscope::test {

// White noise whose spectrum is divided by the frequency, f32, from 0 to 1. The size is a power of two. The spectrum
// ends at 0.435 cycles per sample, where a lens has blurred it away: above, no method keeps anything under a rotation,
// and the ratios of docs/fidelity.md only follow without it.
Image one_over_f(int size, uint64_t seed);

}  // namespace texelscope::test
