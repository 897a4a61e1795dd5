#pragma once
// Loads an image from its source as the user writes it: a file or a built-in test image.

#include <string>

#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

// Coordinates of the samples of a signal: sample i is at origin + i · spacing.
struct SignalGrid {
    double origin = 0, spacing = 1;
};

// "@id", "@id:512" and "@id:640x480" are test images, "-" is standard input, everything else is a path: to a table, which
// is a signal with its own grid (signal.h), or to an image, read as read_image does. Throws Error.
Image load_image(const std::string& source, SignalGrid* grid = nullptr, const Reading& reading = {});

}  // namespace texelscope
