#pragma once
// TiledReference: the float64 reference of an image that is not in memory, in blocks of the output through windows of the
// image. The result is what SourceImage::render_reference of the whole would give, to the rounding of float64; with a value
// beyond a border, to that of the samples minus that value in float32.

#include <stop_token>

#include "gpu/tiles/tiled_image.h"

namespace texelscope {

class TiledReference {
public:
    // Reads through the tiles and levels of the image, within its memory. It outlives this, and is not used meanwhile.
    explicit TiledReference(TiledImage& image) : image_(image) {}

    // Rows of a request that image.plan() has planned: to `values` in host memory, as many doubles per pixel as the image has
    // channels, rows packed, premultiplied if there is alpha. Throws Error, which names the tile, for samples that cannot be
    // read, and for a derivative; OutOfMemory if a single pixel needs more than the memory; Cancelled.
    void rows(const PlannedRequest& planned, int first, int count, double* values, const std::stop_token& stop = {});

private:
    TiledImage& image_;
};

}  // namespace texelscope
