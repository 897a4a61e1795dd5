#pragma once
// The tolerances the tests hold the engine to, each with its reason. Figures are those of docs/fidelity.md, for
// images in [0, 1].

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
