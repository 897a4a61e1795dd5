#pragma once
// Widened and differentiated weights on the CPU when rows are not shared: rotated views, warps and points.

#include "gpu/method/cpu_output.h"
#include "gpu/method/cpu_vector.h"

namespace texelscope {

class WidenedWriter final : public RowWriter {
public:
    WidenedWriter(const WidenedJob& job, const simd::Kernels& kernels) : widened_(job), kernels_(kernels) {}
    void write_rows(int first, int last) const override;

private:
    const WidenedJob& widened_;
    const simd::Kernels& kernels_;
};

}  // namespace texelscope
