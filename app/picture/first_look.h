#pragma once
// What is seen of an image when it is opened: levels of its own if its samples are no values for display, and whether any
// are not finite.

#include <memory>

#include "app/state/image_look.h"
#include "gpu/core/image.h"

namespace texelscope {

// Values for display, which need no levels: colours of 8 and 16 bits; light by the file's own statement; floats that lie in
// 0 … 1, or three and more channels of which most do. Data: other numbers, and those that take less than a sixteenth of
// 0 … 1, such as 12 in 16 bits and labels. Their levels: all of few different integers, else from the 1st to the 999th
// thousandth of at most a quarter of a million pixels; of complex numbers, from 0 to that of the magnitude, at most to four times its median. Samples that
// are not in memory are not looked at.
ImageLook look_at(const Image& image);

// By values of the image instead of its samples, as of one whose samples are not in memory.
ImageLook look_at_values(const Image& values, const Image& image);

// Whether it is worth a look: all but photographs.
bool may_be_data(const Image& image);

// The same as look_at, kept for the images that were looked at last.
ImageLook look_of(const std::shared_ptr<const Image>& image);

}  // namespace texelscope
