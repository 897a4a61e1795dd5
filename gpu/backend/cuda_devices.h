#pragma once
// The devices that CUDA shows to this process.

#include "gpu/backend/device_choice.h"

namespace texelscope {

class CudaDevices final : public Devices {
public:
    int count(std::string& why_none) override;
    DeviceAnswer ask(int device) override;
};

}  // namespace texelscope
