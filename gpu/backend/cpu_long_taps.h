#pragma once
// LongTapsRenderer::resample_by_taps on the CPU.

#include "gpu/backend/memory_budget.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// All rows of the image first, then the columns: each is read once, however many taps there are. The job's positions and
// spec are not used, and its source is samples, without margin. Throws OutOfMemory.
void resample_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, MemoryBudget& memory,
                             const simd::Kernels& kernels);

}  // namespace texelscope
