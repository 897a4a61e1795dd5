#pragma once
// Stored samples of an image that is not in memory.

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Those of a region, which may be beyond the edges, where the address modes extend the image: f32, with the alpha that the
// source's renderings have (premultiplied). To a rounding of float32 if the source is linear light. Throws SamplesToCome.
Image stored_samples(SourceImage& source, const AddressPair& address, const SampleRegion& region);

}  // namespace texelscope
