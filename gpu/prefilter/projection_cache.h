#pragma once
// The taps of least squares, kept: those of a usual export take some hundredths of a second to compute.

#include <cstddef>
#include <memory>

#include "gpu/prefilter/projection.h"

namespace texelscope {

// What is kept at most, of the whole process; the least recently used goes first.
inline constexpr size_t most_kept_long_taps = 16, most_kept_long_taps_bytes = size_t(32) << 20;

// least_squares_taps(), perhaps from an earlier call with the same method, parameters, prefilter, origin, step and count: on
// nothing else do they depend. Any thread may call it.
std::shared_ptr<const LongTaps> kept_least_squares_taps(const MethodSpec& spec, double origin, double step, int count);

// Of what is kept now.
size_t kept_long_taps_bytes();

}  // namespace texelscope
