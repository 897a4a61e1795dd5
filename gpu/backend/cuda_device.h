#pragma once
// CUDA devices: which is current, and what it can do.

#include "gpu/core/device_limits.h"

namespace texelscope {

// Makes a device the calling thread's current one until the end of the scope, then the caller's again. Throws DeviceLost
// or Error.
class OnDevice {
public:
    explicit OnDevice(int device);
    ~OnDevice();
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

private:
    int before_ = 0, device_ = 0;
};

// Throws Error where the device does not answer.
DeviceLimits limits_of_device(int device);

}  // namespace texelscope
