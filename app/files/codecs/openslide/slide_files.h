#pragma once
// Slides through OpenSlide; app/files/codecs/openslide_module.h describes these functions.

#include <memory>

#include "app/files/decoding/decoder.h"

namespace texelscope {

bool is_slide(const EncodedFile& file);

std::unique_ptr<const TileSource> slide_regions(const EncodedFile& file);

void decode_slide(const EncodedFile& file, DecodingTarget& target);

}  // namespace texelscope
