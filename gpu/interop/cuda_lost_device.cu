#include "gpu/interop/present_target.h"

#include <cstdint>

#include "gpu/backend/cuda_memory.h"
#include "gpu/core/cuda_check.h"

namespace texelscope {
namespace {

__global__ void illegal_write_kernel(uintptr_t address) { *reinterpret_cast<volatile int*>(address) = 1; }

}  // namespace

void reset_device(int device) {
    const int before = current_device();
    stay_on_device(device);
    if (current_device() == device) {
        forget_pool(device);
        cuda_ignore(cudaDeviceReset());
    }
    if (before != device) stay_on_device(before);
}

void write_to_illegal_address(Backend& backend) {
    const OnDevice on(backend.info().device_index);
    launch_kernel(work::illegal_write, illegal_write_kernel, 1, 1, 0, backend.stream(), uintptr_t(64));
}

}  // namespace texelscope
