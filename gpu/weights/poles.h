#pragma once
// Which poles a prefilter may have, on either backend and in the reference.

namespace texelscope {

inline constexpr int most_poles = 4;

// The largest magnitude of one: 32 taps on each side, as many as the GPU's convolution has room for, then leave out less
// than float32 resolves.
inline constexpr double largest_pole = 0.56;

// The least distance between any two of so many poles: the partial fractions of the filter divide by all of them, and
// lose as much of float64 as the product is small.
constexpr double least_distance_of_poles(int poles) { return poles <= 2 ? 1e-3 : 0.03; }

}  // namespace texelscope
