#pragma once
// The colours of transparent pixels. Premultiplied interpolation makes them black; renderings that read every sample in
// its place take them from the image.

#include "app/files/bytes/rows.h"
#include "gpu/backend/request.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Makes `result`, the request's rendering as f32, straight with these colours if the source has straight alpha and each
// pixel (x, y) reads sample (x, y); otherwise leaves it as it is.
void keep_hidden_colours(Image& result, const Image& source, const RenderRequest& request);

// keep_hidden_colours() for rows computed on demand; `result` and `source` must outlive the returned rows.
RowSource with_hidden_colours(const RowSource& result, const TileSource& source, const RenderRequest& request);

}  // namespace texelscope
