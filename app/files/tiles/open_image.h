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

// Files are read by regions if they, and their samples, are large (open_tiles), and so are test images; all others are read
// as load_image reads them. Throws what that and open_tiles throw, but for ReadWhole.
Image open_image(const std::string& source, const Opening& opening = {});

// Whether a source is asked for regions at all: test images, and files from this size on.
inline constexpr uintmax_t large_file_bytes = uintmax_t(64) << 20;
bool may_be_read_by_regions(const std::string& source);

}  // namespace texelscope
