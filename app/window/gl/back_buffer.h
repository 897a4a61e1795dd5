#pragma once
// The picture drawn into the window that is not shown yet.

#include "gpu/core/image.h"

namespace texelscope {

// The upper left width × height pixels of the framebuffer in use, u8×3, first row on top.
Image back_buffer(int width, int height);

}  // namespace texelscope
