#pragma once
// Stored samples of an image that is not in memory.

#include <optional>

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"
#include "gpu/tiles/axis_window.h"

namespace texelscope {

// Those of a region, which may be beyond the edges, where the address modes extend the image: f32, with the alpha that the
// source's renderings have (premultiplied). To a rounding of float32 if the source is linear light. Throws SamplesToCome.
Image stored_samples(SourceImage& source, const AddressPair& address, const SampleRegion& region);

// A part of an image, as an image of its own: sample (0, 0) of it is (x, y) of the whole.
struct PartOfImage {
    Image samples;  // as stored_samples() has them
    int x = 0, y = 0;
};

// The part from a to b, with as many samples around as `reach` says; null if that is too much to be read for a line. Throws
// SamplesToCome.
std::optional<PartOfImage> part_between(SourceImage& source, const AddressPair& address, Point a, Point b,
                                        const WindowReach& reach);

}  // namespace texelscope
