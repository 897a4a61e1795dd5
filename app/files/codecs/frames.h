#pragma once
// A canvas on which frames are drawn over each other: animated PNG.

#include "app/files/decoding/decoder.h"

namespace texelscope {

// Fills the target with the chosen channels of a canvas of straight RGBA; `facts` has the parts, the current one, and
// the orientation. Throws Error.
void show_canvas(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target);

}  // namespace texelscope
