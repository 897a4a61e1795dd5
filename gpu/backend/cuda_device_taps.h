#pragma once
// Taps of any length in a backend's memory.

#include <memory>

#include "gpu/backend/interfaces.h"
#include "gpu/method/long_taps.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// Given back in the order of the backend's queue.
struct DeviceTaps {
    std::shared_ptr<void> first, weights;
    LongTapsView view;
};

// Throws OutOfMemory.
DeviceTaps device_taps(BackendMemory& backend, const LongTaps& taps);

}  // namespace texelscope
