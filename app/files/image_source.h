#pragma once
// Where an image comes from, as the user writes it: a file, or a built-in test image.

#include <string>

#include "gpu/core/image.h"

namespace texelscope {

// Where the samples of a signal stand: sample i at origin + i · spacing.
struct SignalGrid {
    double origin = 0, spacing = 1;
};

// "@id", "@id:512" and "@id:640x480" are test images, everything else is a path: of a table, which is a signal with a
// grid of its own (signal.h), or of an image. Throws Error.
Image load_image(const std::string& source, SignalGrid* grid = nullptr);

}  // namespace texelscope
