#include "gpu/backend/cuda_device_taps.h"

#include <vector>

namespace texelscope {

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
