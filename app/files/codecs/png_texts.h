#pragma once
// Puts texts into a PNG file: pairs of a keyword and a text. metadata/embedded_texts.h reads them.

#include <map>
#include <string>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raster.h"

namespace texelscope {

using PngTexts = std::map<std::string, std::string>;

// The file with these texts behind its header, as tEXt. Keywords have 1 to 79 characters; all are Latin-1.
Bytes with_texts(ByteSpan png, const PngTexts& texts);

}  // namespace texelscope
