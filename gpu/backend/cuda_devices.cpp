#include "gpu/backend/cuda_devices.h"

#include <cstdlib>

#include <fmt/format.h>

#include "gpu/backend/cuda_device.h"
#include "gpu/backend/cuda_probe.h"
#include "gpu/core/cuda_check.h"
#include "gpu/core/errors.h"

namespace texelscope {
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

}  // namespace texelscope
