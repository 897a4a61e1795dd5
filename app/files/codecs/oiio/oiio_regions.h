#pragma once

#include <memory>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// As app/files/codecs/oiio_module.h says.
std::unique_ptr<const TileSource> regions_with_oiio(const Codec& codec, const EncodedFile& file);

}  // namespace texelscope
