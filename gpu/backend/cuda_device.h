#pragma once
// CUDA devices: the current one, what one can do, those that CUDA shows to this process, and a backend on one. No CUDA header
// is needed.

#include <new>
#include <optional>

#include <cuda_runtime.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"
#include "gpu/core/machine.h"

namespace texelscope {

// Makes a device the calling thread's current one until the end of the scope, then the caller's again.
class OnDevice {
public:
    explicit OnDevice(int device);  // throws DeviceLost or Error
    OnDevice(int device,
             std::nothrow_t) noexcept;  // for destructors: if the device does not answer, nothing changes
    ~OnDevice();
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

private:
    int before_ = 0, device_ = 0;
};

// The calling thread's current device; 0 if CUDA does not answer.
int current_device() noexcept;

// Makes it the calling thread's current one for good, if possible.
void stay_on_device(int device) noexcept;

// Throws Error if the device does not answer.
DeviceLimits limits_of_device(int device);

// The devices that CUDA shows to this process.

class CudaDevices final : public Devices {
public:
    int count(std::string& why_none) override;
    DeviceAnswer ask(int device) override;
};

// The BackendInfo of `device`, the calling thread's current one; with limits no better than `lower`. Throws Error if
// the device does not answer.
BackendInfo info_of_device(int device, const std::optional<DeviceLimits>& lower);

// The CUDA backend, for files that know that the build has one. No CUDA header here.

// On options.device, which is required. Throws OutOfMemory, DeviceLost or Error if it cannot be used.
std::shared_ptr<Backend> make_cuda_backend(const CudaOptions& options);

// Whether kernels of this program run on a device: one is launched there.

struct ProbeResult {
    cudaError_t error = cudaSuccess;
    bool right = false;  // the kernel wrote what it should
    CodeVersions code;   // of the code that ran there
};

// On the calling thread's current device. Clears CUDA's error afterwards, unless it is permanent.
ProbeResult probe_current_device();

// For this program's code on the current device. Throws Error.
CodeVersions code_on_current_device();

}  // namespace texelscope
