#pragma once
// How far the hardware path may be from the exact value, from what docs/texture-unit.md measured on a real texture
// unit. Derived, not fitted:
//
// A linear fetch blends four texels with weights of 8 bits. Its error is at most
//     (1/512 + t)·|∂x| + (1/512 + t)·|∂y| + 1/512·|∂xy|
// with ∂x, ∂y, ∂xy the largest differences of neighbouring texels: each fraction is rounded to 1/256, and so is the
// product that weighs the fourth texel. t is what the float32 coordinate loses: 2⁻²⁴ of its size, and 2⁻²¹ of the width
// if wrap or mirror need normalised coordinates. Sums of fetches have the sum of their weights' magnitudes as gain:
// along each axis its maximum over the fraction, from the record's own fetches.
// The result is rounded to 16 bits for integer texels and to half precision for half texels.

#include "tests/support/reference.h"

namespace texelscope::test {

double hardware_bound(const Image& image, const MethodSpec& spec);

// How far renderings of one image by two devices, or by one under different limits, may be from each other: exact paths as
// far as float32 is coarse, the hardware path twice its bound, since a fraction in the middle between two of 256 steps may fall
// to either side.
double devices_tolerance(const Image& image, const MethodSpec& spec);

}  // namespace texelscope::test
