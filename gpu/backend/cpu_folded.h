#pragma once
// Folding on the CPU; see folding.h.

#include "gpu/backend/resampling.h"
#include "gpu/method/cpu_columns.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Whether a view of these samples is folded.
bool is_folded(const TexelArray& samples, const Resampling& request);

// Each tap becomes those of the prefilter around it: weights of samples instead of coefficients. Weights at both ends that
// float32 does not resolve are left out.
AxisTaps with_prefilter(const AxisTaps& of_coefficients, const PrefilterKernel& kernel);

// Each tap, a sample of a level that is extended by its address mode (clamp or border), becomes those of the finer level
// that it is made from: taps n of `reduction` are those of sample n of `level_samples`.
AxisTaps with_reduction(const AxisTaps& of_level, AddressMode mode, const AxisTaps& reduction, int level_samples);

// The taps of the view's pixels along an axis, in samples of the image. `reduction` makes the first level (reduction_job).
AxisTaps folded_taps(Axis axis, const TabulatedJob& view, const ReadPlan& reading, const TabulatedJob& reduction,
                     const simd::Kernels& kernels);

}  // namespace texelscope
