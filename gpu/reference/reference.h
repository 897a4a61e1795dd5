#pragma once
// Resampling in float64, against which every fetch path, prefilter and float of the engine is measured. Weights are the
// method's float64 weight function, coefficients those of its exact prefilter, positions the engine's own.

#include "gpu/reference/coefficients.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// Fills in the job's patch, threaded. Its memory: patch_size() and filtered_rows_size() doubles.
void compute_patch_on_cpu(const ReferenceJob& job);

// Computes rows [first, last) on the calling thread.
void reference_rows(const ReferenceJob& job, int first, int last);

// Enqueues patch and evaluation on the stream. Throws Error if a launch is refused.
void launch_reference(const ReferenceJob& job, CUstream_st* stream);

}  // namespace texelscope
