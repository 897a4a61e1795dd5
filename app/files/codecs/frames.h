#pragma once
// A picture of frames that are drawn over each other: GIF and animated PNG.

#include "app/files/decoding/decoder.h"

namespace texelscope {

// Fills the target with what is chosen of a canvas of straight RGBA; `facts` has the parts, the one that this is, and the
// orientation. Throws Error.
void show_canvas(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target);

}  // namespace texelscope
