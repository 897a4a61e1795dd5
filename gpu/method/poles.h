#pragma once
// Which poles a prefilter may have, on either backend and in the reference.

namespace texelscope {

inline constexpr int most_poles = 2;

// The largest magnitude of one: 24 taps on each side, as many as the GPU's convolution has room for, then leave out less
// than float32 resolves.
inline constexpr double largest_pole = 0.47;

// The least distance between two poles: the partial fractions of the filter divide by it.
inline constexpr double least_distance_of_poles = 1e-3;

}  // namespace texelscope
