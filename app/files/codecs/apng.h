#pragma once
// Frames of animated PNG, which the libraries show only the first picture of.
// W3C, PNG (third edition), sections 5.4, 11.3.3 and 12.5: acTL, fcTL, fdAT.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// The pictures of a whole PNG, one part each: 1 for one that is not animated. If the still picture that other programs
// show is no frame, it comes first.
std::vector<PictureFacts::Part> parts_of_png(ByteSpan file);

// The canvas after frame `part` of parts_of_png, from 1, has been drawn: straight RGBA, u8 or u16. Throws Error.
Image apng_frame(ByteSpan file, int part);

// A canvas on which frames are drawn over each other: animated PNG.

// Fills the target with the chosen channels of a canvas of straight RGBA; `facts` has the parts, the current one, and
// the orientation. Throws Error.
void show_canvas(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target);

}  // namespace texelscope
