#pragma once

#include <cstdint>
#include <memory>

#include "gpu/backend/backend.h"
#include "gpu/core/colour.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Recognises who makes levels: a number that is the same as long as they have the same values to the last bit. It is made of the
// levels of a small noise with the type, the channels, the alpha and the profile of the image, in every address mode. So another
// filter, another decoding of light, another compiler, processor or GPU shows by what it computes, and nobody has to
// count versions. Takes some milliseconds. Throws OutOfMemory.
uint64_t level_maker(const std::shared_ptr<Backend>& backend, const ImageInfo& image, Light light);

}  // namespace texelscope
