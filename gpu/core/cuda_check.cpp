#include "gpu/core/cuda_check.h"

#include <string>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define TEXELSCOPE_NVTX 1
#endif

#include "gpu/core/errors.h"
#include "gpu/core/timing.h"

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

#if defined(TEXELSCOPE_NVTX)
ProfilerRange::ProfilerRange(const WorkName& work) { nvtxRangePushA(work.name); }
ProfilerRange::~ProfilerRange() { nvtxRangePop(); }
#else  // a toolkit without its profiling headers
ProfilerRange::ProfilerRange(const WorkName&) {}
ProfilerRange::~ProfilerRange() = default;
#endif

}  // namespace texelscope
