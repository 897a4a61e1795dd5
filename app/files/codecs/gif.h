#pragma once
// Frames of GIF: the canvas once each has been drawn over those before it. The libraries show it differently, and keep
// all frames in memory or forget some.
// CompuServe's GIF 89a specification, https://www.w3.org/Graphics/GIF/spec-gif89a.txt

#include "app/files/bytes/raster.h"

namespace texelscope {

// Walks to the end of the first frame. Throws Error.
void check_gif(ByteSpan file);

// Of a file that has passed the check: those that are whole, at least 1.
int count_gif_frames(ByteSpan file);

// The canvas after the frame, from 0: straight RGBA, u8. Throws Error.
Image gif_frame(ByteSpan file, int frame);

}  // namespace texelscope
