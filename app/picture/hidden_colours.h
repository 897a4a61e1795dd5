#pragma once
// The colours of transparent pixels. Images with alpha are interpolated premultiplied, which makes them black; a rendering that reads every
// sample in its place takes them from the image.

#include "app/files/bytes/row_source.h"
#include "gpu/backend/request.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// If pixel (x, y) of the request reads sample (x, y) of the source, which has straight alpha: `result`, its rendering as f32, becomes
// straight with these colours. Else it stays as it is.
void keep_hidden_colours(Image& result, const Image& source, const RenderRequest& request);

// The same for rows that are still to come. What is given must outlive the result.
RowSource with_hidden_colours(const RowSource& result, const TileSource& source, const RenderRequest& request);

}  // namespace texelscope
