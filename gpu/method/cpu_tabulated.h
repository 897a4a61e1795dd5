#pragma once
// Weights from tables on the CPU when rows are not shared: rotated views, warps and points.

#include "gpu/method/cpu_output.h"
#include "gpu/method/cpu_vector.h"

namespace texelscope {

class TabulatedWriter final : public RowWriter {
public:
    TabulatedWriter(const TabulatedJob& job, const simd::Kernels& kernels) : tabulated_(job), kernels_(kernels) {}
    void write_rows(int first, int last) const override;

private:
    const TabulatedJob& tabulated_;
    const simd::Kernels& kernels_;
};

}  // namespace texelscope
