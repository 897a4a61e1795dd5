#pragma once
// Resampling in float64, against which every fetch path, prefilter and float of the engine is measured. Weights are the
// method's float64 weight function, coefficients those of its exact prefilter, positions the engine's own.

#include "gpu/reference/coefficients.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// A job whose tile is set (set_tile): these compute its pixels. This fills in its patch, threaded.
void compute_patch_on_cpu(const ReferenceJob& job);

// Computes rows [first, last) of the tile on the calling thread.
void reference_rows(const ReferenceJob& job, int first, int last);

// Enqueues patch and evaluation of the tile on the stream. Throws Error if a launch is refused.
void launch_reference(const ReferenceJob& job, CUstream_st* stream);

}  // namespace texelscope
