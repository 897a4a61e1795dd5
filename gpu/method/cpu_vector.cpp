#include "gpu/method/cpu_vector.h"

#include <utility>

#include "gpu/method/cpu_blocks.h"
#include "gpu/method/cpu_columns.h"
#include "gpu/method/cpu_separable.h"
#include "gpu/method/cpu_tabulated.h"

namespace texelscope {

std::unique_ptr<RowWriter> vector_rows(const ResampleJob& job, ResampleKernel kernel, const AxisWeights& weights,
                                       const simd::Kernels& kernels) {
    if (kernel == ResampleKernel::blocks) return std::make_unique<BlockWriter>(job, *job.spec.method, weights, kernels);
    if (kernel != ResampleKernel::separable) return nullptr;
    const AxisTaps columns = taps_along(Axis::x, job, weights, kernels);
    AxisTaps rows = taps_along(Axis::y, job, weights, kernels);
    return std::make_unique<SeparableWriter>(job, columns, std::move(rows), kernels);
}

std::unique_ptr<RowWriter> vector_rows(const TabulatedJob& tabulated, ResampleKernel kernel,
                                       const simd::Kernels& kernels) {
    if (kernel == ResampleKernel::blocks) return std::make_unique<TabulatedWriter>(tabulated, kernels);
    if (kernel != ResampleKernel::separable) return nullptr;
    const AxisTaps columns = taps_along(Axis::x, tabulated, kernels);
    AxisTaps rows = taps_along(Axis::y, tabulated, kernels);
    return std::make_unique<SeparableWriter>(tabulated.job, columns, std::move(rows), kernels);
}

}  // namespace texelscope
