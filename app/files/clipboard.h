#pragma once
// Pictures for the desktop's clipboard. X11 and Wayland want a program that answers for as long as the picture may be
// pasted: wl-copy or xclip, where one of them is installed.

#include "gpu/core/image.h"

namespace texelscope {

// Hands the picture over as PNG, and does not wait. Throws Unavailable, which says what to install, or FileError where
// there is no room for the PNG.
void copy_picture_to_clipboard(const Image& image);

}  // namespace texelscope
