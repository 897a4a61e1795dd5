#include "gpu/backend/cuda_memory.h"

#include <cstdlib>

#include <fmt/format.h>

#include "gpu/core/cuda_check.h"
#include "gpu/core/errors.h"

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

namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string why_no_device(cudaError_t error, int driver) {
    if (error == cudaErrorInsufficientDriver) {
        int runtime = 0;
        cuda_ignore(cudaRuntimeGetVersion(&runtime));
        return fmt::format("the NVIDIA driver supports CUDA {}, this program needs {}: update the driver",
                           version_text(driver), version_text(runtime));
    }
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible && (error == cudaSuccess || error == cudaErrorNoDevice || error == cudaErrorInvalidDevice))
        return fmt::format("no CUDA device is visible: the environment variable CUDA_VISIBLE_DEVICES is \"{}\"",
                           visible);
    return error == cudaSuccess ? "no CUDA device is visible" : cudaGetErrorString(error);
}

ProbeFault fault_of(cudaError_t error) {
    switch (error) {
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorInvalidKernelImage: return ProbeFault::no_code;
        case cudaErrorUnsupportedPtxVersion:
        case cudaErrorInvalidPtx:
        case cudaErrorJitCompilerNotFound: return ProbeFault::old_driver;
        case cudaErrorMemoryAllocation: return ProbeFault::out_of_memory;
        default: return ProbeFault::no_context;
    }
}

// Runs the kernel there, then makes the caller's device the current one again.
ProbeResult probe_device(int device) {
    int before = device;
    ProbeResult result;
    if ((result.error = cudaGetDevice(&before)) == cudaSuccess && (result.error = cudaSetDevice(device)) == cudaSuccess)
        result = probe_current_device();
    cuda_ignore(result.error);
    if (before != device) cuda_ignore(cudaSetDevice(before));
    return result;
}

}  // namespace

int CudaDevices::count(std::string& why_none) {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        cuda_ignore(cudaGetLastError());
        why_none = "no NVIDIA driver is installed, or none answers";
        return 0;
    }
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    cuda_ignore(error);
    if (error == cudaSuccess && count > 0) return count;
    why_none = why_no_device(error, driver);
    return 0;
}

DeviceAnswer CudaDevices::ask(int device) {
    DeviceAnswer answer;
    answer.index = device;
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess) {
        cuda_ignore(error);
        answer.why_not = cudaGetErrorString(error);
        return answer;
    }
    answer.name = properties.name;
    try {
        answer.limits = limits_of_device(device);
    } catch (const Error& error) {
        answer.why_not = error.what();
        return answer;
    }
    const ProbeResult result = probe_device(device);
    if (result.error != cudaSuccess)
        answer.why_not = words_of_fault(fault_of(result.error), answer.limits, TEXELSCOPE_CUDA_ARCHITECTURES,
                                        cudaGetErrorString(result.error));
    else if (!result.right)
        answer.why_not = words_of_fault(ProbeFault::wrong_answer, answer.limits, TEXELSCOPE_CUDA_ARCHITECTURES, "");
    else answer.code = words_of_code(result.code, TEXELSCOPE_CUDA_ARCHITECTURES);
    return answer;
}

BackendInfo info_of_device(int device, const std::optional<DeviceLimits>& lower) {
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, device), "cannot read the GPU's properties");
    int driver = 0, runtime = 0;
    cuda_check(cudaDriverGetVersion(&driver), "cannot read the version of the NVIDIA driver");
    cuda_check(cudaRuntimeGetVersion(&runtime), "cannot read the version of CUDA");
    BackendInfo info;
    info.kind = BackendKind::cuda;
    info.device = properties.name;
    info.detail = fmt::format("compute capability {}.{}, CUDA {} (driver supports {})", properties.major,
                              properties.minor, version_text(runtime), version_text(driver));
    info.device_index = device;
    info.compiled_by_driver = is_compiled_by_driver(code_on_current_device(), TEXELSCOPE_CUDA_ARCHITECTURES);
    info.limits = limits_of_device(device);
    if (lower) info.limits = lowered(info.limits, *lower);
    return info;
}

}  // namespace texelscope
