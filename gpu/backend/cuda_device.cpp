#include "gpu/backend/cuda_device.h"

#include "gpu/core/cuda_check.h"

namespace texelscope {

OnDevice::OnDevice(int device) : device_(device) {
    cuda_check(cudaGetDevice(&before_), "cannot ask for the current GPU");
    if (device_ != before_) cuda_check(cudaSetDevice(device_), "cannot use the GPU");
}

OnDevice::OnDevice(int device, std::nothrow_t) noexcept : before_(current_device()), device_(device) {
    if (device_ != before_) cuda_ignore(cudaSetDevice(device_));
}

OnDevice::~OnDevice() {
    if (device_ != before_) cuda_ignore(cudaSetDevice(before_));
}

int current_device() noexcept {
    int device = 0;
    cuda_ignore(cudaGetDevice(&device));
    return device;
}

void stay_on_device(int device) noexcept { cuda_ignore(cudaSetDevice(device)); }

DeviceLimits limits_of_device(int device) {
    const auto attribute = [&](cudaDeviceAttr which) {
        int value = 0;
        cuda_check(cudaDeviceGetAttribute(&value, which, device), "cannot read what the GPU can do");
        return value;
    };
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, device), "cannot read the GPU's properties");
    return {.compute_capability = 10 * properties.major + properties.minor,
            .multiprocessors = properties.multiProcessorCount,
            .threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor,
            .shared_bytes_per_block = properties.sharedMemPerBlockOptin,
            .shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor,
            .texture_width = properties.maxTexture2D[0],
            .texture_height = properties.maxTexture2D[1],
            .texture_1d = properties.maxTexture1D,
            .texture_1d_linear = attribute(cudaDevAttrMaxTexture1DLinearWidth),
            .memory_pools = attribute(cudaDevAttrMemoryPoolsSupported) != 0,
            .memory_bytes = properties.totalGlobalMem};
}

}  // namespace texelscope
