#pragma once

#include <memory>

#include "app/files/decoding/decoder.h"
#include "app/files/formats.h"

namespace texelscope {

// As app/files/oiio_module.h says.
std::unique_ptr<const TileSource> regions_with_oiio(const Format& format, const EncodedFile& file);

}  // namespace texelscope
