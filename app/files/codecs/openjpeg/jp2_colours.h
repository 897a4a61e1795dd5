#pragma once

#include <string>

#include "app/files/colour/colour_tags.h"
#include "gpu/core/image.h"

namespace texelscope {

// Both judge by the boxes of a JP2 file of so many bytes (ISO/IEC 15444-1, annex I), or of a bare codestream, which has
// none.
//
// Why the channels of the codestream are not those of the picture: "it has a palette". Empty if they are.
std::string why_not_plain(const ReadAt& read, uint64_t bytes);
// The alpha kind of the last channel. Without a cdef box it is straight alpha after RGB, and after grey in a JP2 file.
Alpha alpha_of_jp2(const ReadAt& read, uint64_t bytes, size_t channels);

}  // namespace texelscope
