#include "gpu/method/cpu_vector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/method/cpu_blocks.h"
#include "gpu/method/cpu_columns.h"
#include "gpu/method/cpu_separable.h"
#include "gpu/method/cpu_tabulated.h"

namespace texelscope {
namespace {

// If output rows are so far apart that they hardly share filtered rows, there is nothing to keep.
bool shares_rows(const ResampleJob& job, int taps) {
    return job.source.one_dimensional || std::abs(job.positions.yy) <= std::max(1, taps / 2);
}

}  // namespace

std::unique_ptr<RowWriter> vector_rows(const ResampleJob& job, const MethodInfo& method, const AxisWeights& weights,
                                       const simd::Kernels& kernels) {
    if (job.simple || job.path() == FetchPath::hardware || weights.taps == 0) return nullptr;
    if (!job.points.x && job.positions.axis_aligned() && shares_rows(job, weights.taps)) {
        const AxisTaps columns = taps_along(Axis::x, job, weights, kernels);
        AxisTaps rows = taps_along(Axis::y, job, weights, kernels);
        return std::make_unique<SeparableWriter>(job, columns, std::move(rows), kernels);
    }
    if (job.source.one_dimensional) return nullptr;
    return std::make_unique<BlockWriter>(job, method, weights, kernels);
}

std::unique_ptr<RowWriter> vector_rows(const TabulatedJob& tabulated, const simd::Kernels& kernels) {
    const ResampleJob& job = tabulated.job;
    if (job.simple) return nullptr;
    if (!job.points.x && job.positions.axis_aligned()) {
        const AxisTaps columns = taps_along(Axis::x, tabulated, kernels);
        AxisTaps rows = taps_along(Axis::y, tabulated, kernels);
        return std::make_unique<SeparableWriter>(job, columns, std::move(rows), kernels);
    }
    if (job.source.one_dimensional) return nullptr;
    return std::make_unique<TabulatedWriter>(tabulated, kernels);
}

}  // namespace texelscope
