#pragma once
// Pictures for the desktop's clipboard. X11 and Wayland need a program that answers for as long as the picture may be
// pasted: wl-copy or xclip, if installed.

#include "gpu/core/image.h"

namespace texelscope {

// Passes the picture on as PNG, without waiting. Throws Unavailable, which says what to install, or FileError if there
// is no space for the PNG.
void copy_picture_to_clipboard(const Image& image);

}  // namespace texelscope
