#pragma once
// Opens an image to be looked at: as a whole, or by regions if it is too large for that.

#include <functional>
#include <string>

#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

struct Opening {
    Reading reading = {};
    // While a picture that can only be decoded from its first row to its last is stored as tiles: the part that is done.
    // On the calling thread.
    std::function<void(double part)> storing = {};
};

// What has large samples is read by regions (open_tiles), and all others as load_image reads them. Throws what that and
// open_tiles throw, but for ReadWhole.
Image open_image(const std::string& source, const Opening& opening = {});

}  // namespace texelscope
