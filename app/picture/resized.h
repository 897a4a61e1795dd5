#pragma once
// Views saved at another size than that of their pane.

#include "app/picture/rendition.h"
#include "app/state/view_math.h"

namespace texelscope {

// The same request for `size` pixels: its width covers the same part of the image as the pane's width, about the same
// centre. An empty size, or that of the request, changes nothing.
RenderRequest resized_request(const RenderRequest& request, Extent size);

// For a pane's picture: both sides of a difference.
PanePicture resized_picture(PanePicture picture, Extent size);

}  // namespace texelscope
