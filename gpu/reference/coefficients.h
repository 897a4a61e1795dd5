#pragma once
// The coefficients that a reference rendering needs, and the memory they take.

#include <cstddef>
#include <span>

#include "gpu/reference/reference_job.h"

namespace texelscope {

// Memory that coefficients may take, intermediate ones included.
inline constexpr size_t most_coefficient_bytes = size_t(4) << 30;

ExactPrefilter exact_prefilter(std::span<const double> poles);

// The patch of a job whose prefilter is set; the backend sets its memory. For points, which may be anywhere, it is the
// whole image with its margins. Throws OutOfMemory beyond most_coefficient_bytes.
CoefficientPatch patch_for(const ReferenceJob& job);

// In doubles.
size_t patch_size(const ReferenceJob& job);
size_t filtered_rows_size(const ReferenceJob& job);

}  // namespace texelscope
