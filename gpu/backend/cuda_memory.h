#pragma once
// The owner of the memory that a pointer points into.

#include <memory>
#include <string_view>

#include "gpu/backend/interfaces.h"
#include "gpu/method/long_taps.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// pageable, pinned and registered memory of the host are alike: textures cannot be made from any of it.
enum class MemoryKind { host, device, managed };

// As seen from this device. Throws Error for memory of another device, DeviceLost if CUDA no longer answers.
MemoryKind memory_kind(const void* memory, int device, std::string_view name);

// Throws Error if kernels on the device must not read and write it: null, memory of the host or of another device.
void check_device_memory(const void* memory, int device, std::string_view name);

// Throws Error if the host cannot read and write it: null, or memory of a device.
void check_not_device_memory(const void* memory, std::string_view name);

// Taps of any length in a backend's memory.

// Given back in the order of the backend's queue.
struct DeviceTaps {
    std::shared_ptr<void> first, weights;
    LongTapsView view;
};

// Throws OutOfMemory.
DeviceTaps device_taps(BackendMemory& backend, const LongTaps& taps);

}  // namespace texelscope
