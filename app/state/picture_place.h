#pragma once
// Where a pane's picture is, when the view has left it.

#include <optional>

#include "app/state/app_state.h"
#include "app/state/pane_places.h"

namespace texelscope {

// From the middle of the visible part of a pane to the nearest point of its picture, output pixels.
struct WayToPicture {
    double x = 0, y = 0;
    double length() const;
};

// Empty if some of the picture is in view, or the image is extended beyond its edges, or warped, or there is none.
std::optional<WayToPicture> way_to_picture(const AppState& state, int pane);

}  // namespace texelscope
