#pragma once

#include <string>

#include "app/files/colour/colour_tags.h"

namespace texelscope {

// Why the channels of the codestream are not those of the picture, by the boxes of a JP2 file of so many bytes (ISO/IEC 15444-1,
// annex I): "it has a palette". Empty if they are, as of a bare codestream.
std::string why_not_plain(const ReadAt& read, uint64_t bytes);

}  // namespace texelscope
