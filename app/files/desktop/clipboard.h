#pragma once
// Pictures for the desktop's clipboard. X11 and Wayland need a program that answers for as long as the picture may be
// pasted: wl-copy or xclip, if installed.

#include <functional>

#include "gpu/core/image.h"

namespace texelscope {

// Passes the picture on as PNG, without waiting. Throws Unavailable, which says what to install, or FileError if there
// is no space for the PNG. `progress` is called while the PNG is made, with the part that is done, and with 1 before it is
// passed on; what it throws leaves the clipboard as it was.
void copy_picture_to_clipboard(const Image& image, const std::function<void(double part)>& progress = {});

}  // namespace texelscope
