#pragma once
// The tolerances the tests hold the engine to, each with its reason. Figures are those of docs/fidelity.md, for
// images in [0, 1].

#include "gpu/method/spec.h"
#include "tests/support/reference.h"

namespace texelscope::test::tolerance {

// "exact paths against float64 ≤ 2e-6": float32 weights and sums of up to 16 taps, coefficients up to 9 times the samples.
inline constexpr double exact_path = 2e-6;

// "knots reproduced to 2e-6 at every sample, corners included, in all pairs of address modes".
inline constexpr double knot = 2e-6;

// "GPU against CPU backend … in 8 bits equal but for one level in at most 0.01 % of values"; as floats, see
// devices_tolerance().
inline constexpr double cuda_against_cpu_8bit_share = 1e-4;

// Integer part and fraction are each exact to about 2⁻²⁴ texel; one more bit for the arithmetic that follows.
inline constexpr double position = 0x1p-23;

// The texture unit's fraction has 8 bits; rounded to nearest it is off by at most half a step.
inline constexpr double hardware_fraction = 1.0 / 512;

// Largest error of the hardware path on binary noise: for a unit that rounds both fractions and their product to 8
// bits, like the real one (rounding only the fractions would give 0.9 and 2.3). "The absolute figures move with the
// noise seed": 15 %.
inline constexpr double hardware_linear_binary_noise = 1.8 / 255;
inline constexpr double hardware_cubic_binary_noise = 6.5 / 255;
inline constexpr double noise_seed_spread = 0.15;

// Largest errors of FIR 11, 13 and 15 against the exact prefilter on binary noise.
inline constexpr double fir11_binary_noise = 0.70 / 255;
inline constexpr double fir13_binary_noise = 0.19 / 255;
inline constexpr double fir15_binary_noise = 0.052 / 255;

// Largest effect of half-float coefficients on a 1/f image and on binary noise.
inline constexpr double half_natural_image = 0.075 / 255;
inline constexpr double half_binary_noise = 0.31 / 255;

// Weight functions in float64 against formulas in float64.
inline constexpr double weight = 1e-14;

// How far from a jump (nearest's ties, the extent's edge) float32 fractions may still fall on the other side.
inline constexpr double jump = 1e-6;

// How far the exact prefilter's stand-in for a NaN acts, samples along each axis beyond the weight function's support:
// |z|^24 = 2e-14 is far below float32; the margin of coefficients (14 samples) fits in.
inline constexpr int iir_horizon = 24;

// "Convergence orders ± 0.05 and constants ± 2 % for every method".
inline constexpr double order = 0.05;
inline constexpr double constant = 0.02;

// First derivatives per sample: slopes up to 2 from a table that is linear between 2048 nodes per sample (3e-7), in
// float32, times coefficients up to 9 times the samples.
inline constexpr double derivative = 1e-5;

// Widened weights come from that table as well, and there are up to 65 of them on each axis.
inline constexpr double widened = 5e-6;

// sRGB coding after interpolation in linear light: its slope is 12.92 near black.
inline constexpr double linear_light = 12.92 * exact_path;

// A pyramid's level has passed through Lanczos 3, whose gain is 1 to within 3 % where the rest of the filter passes
// anything.
inline constexpr double pyramid_gain = 0.03;

// Repeated rotation: "absolute figures move with the noise seed; order and ratios do not". A small image has fewer low
// frequencies for its high ones, so all its figures are larger.
inline constexpr double rotation_ratio = 0.12;
inline constexpr double rotation = 0.25;
inline constexpr double rotation_small = 0.6;

}  // namespace texelscope::test::tolerance

namespace texelscope::test {

// What float32 loses on an exact path, by prefilter.
//
// 2e-6 for images in [0, 1] holds for the exact prefilter of every method, whose coefficients are up to 56 times the
// samples (quintic, both axes). A FIR of three taps, normalised to sum 1, has a gain of 762 for the quintic: useless,
// but it was requested, and float32 is coarser in proportion.
double exact_tolerance(const MethodSpec& spec);

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
double hardware_bound(const Image& image, const MethodSpec& spec);

// How far renderings of one image by two devices, or by one under different limits, may be from each other: exact paths as
// far as float32 is coarse, the hardware path twice its bound, since a fraction in the middle between two of 256 steps may fall
// to either side.
double devices_tolerance(const Image& image, const MethodSpec& spec);

}  // namespace texelscope::test
