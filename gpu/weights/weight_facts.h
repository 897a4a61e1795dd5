#pragma once
// What follows from a weight function alone. Each a pure function; moments as in Strang & Fix: M_m(t) = Σ (t − k)^m
// w(t − k).

#include <span>
#include <vector>

#include "gpu/weights/inverse_filter.h"
#include "gpu/weights/pieces.h"

namespace texelscope {

// The extremes of the sum of the weights over the phases t in [0, 1).
struct WeightSum {
    double least = 1, largest = 1;
    double ripple() const { return largest - least; }
    bool is_one() const { return least > 1 - 1e-9 && largest < 1 + 1e-9; }
};
WeightSum weight_sum(std::span<const FittedPiece> pieces);

// 1 at 0, 0 at all other integers, to 1e-9.
bool is_interpolating(std::span<const FittedPiece> pieces);

// Error ~ constant · h^order · max|f^(order)| for signals of period ≫ h. Order 0: constants are not reproduced, and the
// constant is the largest relative error of theirs.
struct ApproximationOrder {
    int order = 0;
    double constant = 0, l2_constant = 0;  // of the largest error, and of its mean square over the phases
};

// The order of the weights on samples; prefiltered, on coefficients of the exact prefilter, which must exist.
ApproximationOrder approximation_order(std::span<const FittedPiece> pieces, bool prefiltered = false);

// Continuous derivatives; −1: the function jumps; most_smoothness: at least that many.
inline constexpr int most_smoothness = 6;
int smoothness_of(std::span<const FittedPiece> pieces);

// The least interval outside of which it is zero.
struct Support {
    double left = 0, right = 0;
};
Support support_of(std::span<const FittedPiece> pieces);

// Here and below, `response` is b(−far) … b(far) of the prefilter, if there is one.

// How far the values between samples of a step from 0 to 1 go beyond 0 and 1, of its height.
double step_overshoot(std::span<const FittedPiece> pieces, std::span<const double> response = {});

// The factor by which a wave of `frequency` cycles per sample is passed: ∫ w(x) cos(2π f x) dx over P for an even
// function, its magnitude for any.
double gain_at(std::span<const FittedPiece> pieces, double frequency, std::span<const double> response = {});

// The factor of gain_at() without a prefilter and with its sign, if the function is even.
double spectrum_at(std::span<const FittedPiece> pieces, double frequency);

// The strongest image, near frequencies n ± f with n ≥ 1, of waves up to f = 1/4 cycle per sample.
double strongest_image(std::span<const FittedPiece> pieces, std::span<const double> response = {});

// Fetches along an axis by which a texture unit that filters linearly computes it: neighbours are merged where their
// weights have no opposite sign. 0: it cannot, because no two taps can be merged.
int fetches_along_axis(std::span<const FittedPiece> pieces, int taps);

}  // namespace texelscope
