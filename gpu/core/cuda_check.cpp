#include "gpu/core/cuda_check.h"

#include <string>

#include "gpu/core/errors.h"

namespace texelscope {

bool is_device_lost(cudaError_t error) {
    switch (error) {
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorAssert:
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorContextIsDestroyed:
        case cudaErrorDeviceUninitialized:
        case cudaErrorUnknown:  // after a suspended machine or a driver's reset
            return true;
        default: return false;
    }
}

void cuda_check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    const std::string text = std::string(what) + ": " + cudaGetErrorString(error);
    if (error == cudaErrorMemoryAllocation) throw OutOfMemory(text);
    if (is_device_lost(error)) throw DeviceLost(text);
    throw Error(text);
}

void check_launch(cudaError_t error, const WorkName& work) {
    if (error != cudaSuccess)
        cuda_check(error, (std::string("the GPU refused the kernel '") + work.name + "'").c_str());
}

}  // namespace texelscope
