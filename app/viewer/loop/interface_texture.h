#pragma once
// Images as textures for the interface to draw.

#include "app/state/background_report.h"
#include "app/window/gl/handles.h"
#include "gpu/core/image.h"

namespace texelscope {

// The image, u8 of 1 or 3 channels, into the texture, which is created if it does not exist yet.
InterfacePicture upload(gl::Texture& texture, const Image& image);

}  // namespace texelscope
