#pragma once
// Slides through OpenSlide. All of this is as app/files/codecs/openslide_module.h says.

#include <memory>

#include "app/files/decoding/decoder.h"

namespace texelscope {

bool is_slide(const EncodedFile& file);

std::unique_ptr<const TileSource> slide_regions(const EncodedFile& file);

void decode_slide(const EncodedFile& file, DecodingTarget& target);

}  // namespace texelscope
