#pragma once
// One pixel of a rendering, computed separately but exactly as in the picture.

#include <array>
#include <optional>

#include "app/picture/rendition.h"
#include "app/state/view_math.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// The pixel, under a warp with its neighbours: the widened weight function is fitted to the distances between them, so
// a single pixel would not match the one on the screen.
struct PixelProbe {
    RenderRequest request;  // of one pixel, of up to two along each axis, or of a part of a row
    int x = 0, y = 0;       // the pixel's position among them
};

// Pixel (i, j) of the request over an image of this size, or the nearest one if that is outside the request.
PixelProbe probe_at(Extent image, const RenderRequest& request, int i, int j);

// The same with those pixels of its row whose positions a CPU rounds together with its own: equal to the picture's to the
// last bit.
PixelProbe block_probe_at(Extent image, const RenderRequest& request, int i, int j);

// Its value as the backend computes it, premultiplied if there is alpha; not counted by any timer. None if samples have still to
// come. Throws Error.
std::optional<std::array<float, 4>> rendered(SourceImage& source, const PixelProbe& probe, Scratch& memory);

}  // namespace texelscope
