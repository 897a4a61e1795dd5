#pragma once
// See lost_device.h; only in builds with CUDA.

#include "gpu/backend/backend.h"

namespace texelscope {

void reset_device(int device);
void write_to_illegal_address(Backend& backend);

}  // namespace texelscope
