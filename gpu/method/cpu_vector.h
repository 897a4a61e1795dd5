#pragma once
// The CPU backend's vector code as a whole: from a job to an object that writes its rows.

#include <limits>
#include <memory>

#include "gpu/method/chosen_kernel.h"
#include "gpu/method/method_info.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

// Writes rows of an output. Must not outlive what it was made from.
class RowWriter {
public:
    virtual ~RowWriter() = default;

    // Rows [first, last) on the calling thread; several threads may call it at the same time. Throws std::bad_alloc.
    virtual void write_rows(int first, int last) const = 0;

    // How many rows of the source, from the first one on, have to be there for that.
    virtual int rows_read(int /*first*/, int /*last*/) const { return all_rows; }
    static constexpr int all_rows = std::numeric_limits<int>::max();
};

// The vector code that choose() names; null for a kernel that is none. Values differ from those of
// MethodInfo::resample_rows by the rounding of float32.
std::unique_ptr<RowWriter> vector_rows(const ResampleJob& job, ResampleKernel kernel, const AxisWeights& weights,
                                       const simd::Kernels& kernels);

// The same for resample_tabulated_rows.
std::unique_ptr<RowWriter> vector_rows(const TabulatedJob& job, ResampleKernel kernel, const simd::Kernels& kernels);

}  // namespace texelscope
