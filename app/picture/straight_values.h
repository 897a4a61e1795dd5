#pragma once
// The values of a pixel that count for levels.

#include <vector>

#include "app/files/bytes/rows.h"
#include "gpu/backend/request.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

// The least visible alpha, half a level of 8 bits: the colours of pixels with less do not count.
inline constexpr float least_alpha = 0.5f / 255;

// Appends the straight values of all colour channels, or of the one that is shown, except those that are not finite or
// not visible.
void append_straight_values(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values);

// The colours of transparent pixels. Premultiplied interpolation makes them black; renderings that read every sample in
// its place take them from the image.

// Makes `result`, the request's rendering as f32, straight with these colours if the source has straight alpha and each
// pixel (x, y) reads sample (x, y); otherwise leaves it as it is.
void keep_hidden_colours(Image& result, const Image& source, const RenderRequest& request);

// keep_hidden_colours() for rows computed on demand; `result` and `source` must outlive the returned rows.
RowSource with_hidden_colours(const RowSource& result, const TileSource& source, const RenderRequest& request);

}  // namespace texelscope
