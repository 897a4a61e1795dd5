#include "gpu/interop/lost_device.h"

#include "gpu/core/errors.h"

namespace texelscope {

void reset_cuda_device([[maybe_unused]] int device) {
#if TEXELSCOPE_WITH_CUDA
    reset_device(device);
#endif
}

void break_device([[maybe_unused]] Backend& backend, [[maybe_unused]] Loss loss) {
#if TEXELSCOPE_WITH_CUDA
    if (loss == Loss::real && backend.info().kind == BackendKind::cuda) return write_to_illegal_address(backend);
#endif
    throw DeviceLost("the GPU stopped with an error: a simulated one");
}

}  // namespace texelscope
