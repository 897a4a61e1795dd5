#pragma once
// Images as textures for the interface to draw.

#include <cstdint>

#include "app/state/panel_state.h"
#include "app/window/gl/gl_objects.h"
#include "gpu/core/image.h"

namespace texelscope {

// The image, u8 of 1, 3 or 4 channels, into the texture, which is created if it does not exist yet. `pixels`: enlarged, each
// pixel is a square.
InterfacePicture upload(gl::Texture& texture, const Image& image, bool pixels = false);

// How often that has been done: textures of the same names may look different since.
int64_t upload_count();

}  // namespace texelscope
