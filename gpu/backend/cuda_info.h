#pragma once
// BackendInfo of a CUDA device. No CUDA header is needed.

#include <optional>

#include "gpu/backend/backend.h"

namespace texelscope {

// Of the calling thread's current device, whose ordinal this is; with limits no better than `lower`. Throws Error if the
// device does not answer.
BackendInfo info_of_device(int device, const std::optional<DeviceLimits>& lower);

}  // namespace texelscope
