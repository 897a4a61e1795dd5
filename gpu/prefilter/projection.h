#pragma once
// Taps of any length along an axis: of antialiasing, and of shrinking by least squares (Unser, Aldroubi & Eden 1995, Enlargement or reduction of digital images with minimum loss of
// information; Muñoz, Blu & Unser 2001, Least-squares image resizing using finite differences): of all pictures that the
// method can make from so few samples, the one that is nearest to the picture it makes of the samples given. What is thrown
// away is orthogonal to what is kept.

#include <cstddef>
#include <memory>
#include <span>

#include "gpu/method/long_taps.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Whether the method is of the highest order that its support allows, as splines are: then its weight function and its
// widened copies span spaces that one can project on without losing order.
bool has_least_squares(const MethodInfo& method);

// The taps of `count` pixels that are `step` samples apart, above 0, the first of them at `origin`. A step above 1
// shrinks: prefilter, inner products with the widened weight function, and the filter that turns these into samples. Up
// to 1, prefilter and weight function as they are. In float64, which is rounded at the end; weights below 1e-9 at both
// ends are left out.
LongTaps least_squares_taps(const MethodSpec& spec, double origin, double step, int count);

// The taps by which the method interpolates at these positions, prefilter included: of no sample more than of another, so
// that all have the same number. In float64, not trimmed.
struct ExactTaps {
    int first = 0;
    std::vector<double> weights;
};
std::vector<ExactTaps> interpolating_taps(const MethodSpec& spec, std::span<const double> positions);

// The taps of `count` pixels that are antialiased: the weight function, widened by a step above 1, over the sum of its weights,
// and the prefilter. However large the step is, they are those of the samples themselves. In float64, which is rounded at the
// end; weights below 1e-9 of the largest one are left out at both ends.
LongTaps antialiasing_taps(const MethodSpec& spec, double origin, double step, int count);

// Each pixel one sample: 0, 1, …, or, with `step` 0, always the first.
LongTaps single_taps(int count, int step = 1);

// The taps of both, kept: those of a usual export take some hundredths of a second to compute.

// What is kept at most, of the whole process; the least recently used goes first.
inline constexpr size_t most_kept_long_taps = 16, most_kept_long_taps_bytes = size_t(32) << 20;

// least_squares_taps() and antialiasing_taps(), perhaps from an earlier call with the same method, parameters, prefilter, origin,
// step and count: on nothing else do they depend. Any thread may call them.
std::shared_ptr<const LongTaps> kept_least_squares_taps(const MethodSpec& spec, double origin, double step, int count);
std::shared_ptr<const LongTaps> kept_antialiasing_taps(const MethodSpec& spec, double origin, double step, int count);

size_t kept_long_taps_bytes();

}  // namespace texelscope
