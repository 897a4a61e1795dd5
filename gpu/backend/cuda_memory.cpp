#include "gpu/backend/cuda_memory.h"

#include <vector>

#include <fmt/format.h>

#include "gpu/core/cuda_check.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

cudaPointerAttributes attributes_of(const void* memory) {
    cudaPointerAttributes attributes{};
    const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    if (error != cudaErrorInvalidValue) cuda_check(error, "cannot determine what kind of memory was given");
    else cuda_ignore(error);  // how older versions report that CUDA does not know the memory
    if (error != cudaSuccess) attributes.type = cudaMemoryTypeUnregistered;
    return attributes;
}

}  // namespace

MemoryKind memory_kind(const void* memory, int device, std::string_view name) {
    const cudaPointerAttributes attributes = attributes_of(memory);
    if (attributes.type == cudaMemoryTypeManaged) return MemoryKind::managed;
    if (attributes.type != cudaMemoryTypeDevice) return MemoryKind::host;
    if (attributes.device != device)
        throw Error(fmt::format("{} are in memory of CUDA device {}, but the backend computes on device {}", name,
                                attributes.device, device));
    return MemoryKind::device;
}

void check_device_memory(const void* memory, int device, std::string_view name) {
    if (!memory)
        throw Error(fmt::format("{} are null: give memory of the backend, from allocate() or cudaMalloc", name));
    if (memory_kind(memory, device, name) == MemoryKind::host)
        throw Error(
            fmt::format("{} are in memory of the host: give device memory, from allocate() or cudaMalloc", name));
}

void check_not_device_memory(const void* memory, std::string_view name) {
    if (!memory) throw Error(fmt::format("{} are null: give memory of the host", name));
    if (attributes_of(memory).type == cudaMemoryTypeDevice)
        throw Error(fmt::format("{} are in memory of a GPU: give memory of the host", name));
}

DeviceTaps device_taps(BackendMemory& backend, const LongTaps& taps) {
    const size_t pixels = size_t(taps.pixels()), count = size_t(taps.taps);
    std::vector<float> beside(pixels * count);
    for (size_t i = 0; i < pixels; ++i)
        for (size_t k = 0; k < count; ++k) beside[k * pixels + i] = taps.weights[i * count + k];
    DeviceTaps result{backend.allocate(pixels * sizeof(int)), backend.allocate(beside.size() * sizeof(float)), {}};
    backend.write(result.first.get(), taps.first.data(), pixels * sizeof(int));
    backend.write(result.weights.get(), beside.data(), beside.size() * sizeof(float));
    result.view = {static_cast<const int*>(result.first.get()), static_cast<const float*>(result.weights.get()),
                   taps.taps, taps.pixels()};
    return result;
}

}  // namespace texelscope
