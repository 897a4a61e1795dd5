#pragma once
// Folding::resample_reference_by_strips on the CPU.

#include "gpu/backend/memory_budget.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"
#include "gpu/reference/reference_job.h"

namespace texelscope {

// Computes `reference`, whose source is the output of `reduction`: its texels are made here, as many rows as some rows of
// pixels read, one strip after the other. Throws OutOfMemory.
void reference_by_strips(ReferenceJob reference, TabulatedJob reduction, MemoryBudget& memory,
                         const simd::Kernels& kernels);

}  // namespace texelscope
