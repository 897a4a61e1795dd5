#pragma once
// CUDA devices: the current one, and what one can do.

#include <new>

#include "gpu/core/device_limits.h"

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

}  // namespace texelscope
