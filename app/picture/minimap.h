#pragma once
// The whole image, small, in a corner of the picture while the view is zoomed in.

#include <optional>

#include "app/state/app_state.h"
#include "app/state/pane_places.h"
#include "gpu/backend/request.h"

namespace texelscope {

struct Minimap {
    int pane = 0;           // the pane whose image it shows
    PixelRect place;        // framebuffer pixels
    RenderRequest request;  // of the whole image
};

// Empty if it is switched off, the whole image is in view, or there is no space. `pixel_scale`: framebuffer pixels per
// unit of the interface.
std::optional<Minimap> minimap_of(const AppState& state, const PaneLayout& layout, float pixel_scale);
inline std::optional<Minimap> minimap_of(const AppState& state, float pixel_scale) {
    return minimap_of(state, lay_out_panes(state), pixel_scale);
}

// The sample-space point of the image under a framebuffer position.
Point image_point(const Minimap& minimap, Extent image, double x, double y);

// The inverse: framebuffer position of a sample-space point.
Point map_point(const Minimap& minimap, Extent image, Point p);

}  // namespace texelscope
