#pragma once
// How far antialiasing widens a pane's weight function, and what that costs. Without `pane`: the focused one.

#include "app/state/app_state.h"

namespace texelscope {

struct Widening {
    bool active = false;            // weights come from a table; the fetch path has no effect
    bool local = false;             // under a warp: the amount varies over the picture
    double x = 1, y = 1;            // along the axes of sample space, on the level read; unless local
    int halved_x = 0, halved_y = 0;  // the level of the pyramid that is read: how often the image was halved

    bool from_pyramid() const { return halved_x > 0 || halved_y > 0; }
};

Widening shown_widening(const AppState& state, std::optional<int> pane = {});

// Whether this holds for any pane in view.
bool any_widened(const AppState& state);

// Average taps per pixel, both axes together.
double widened_taps(const MethodInfo& method, const Widening& widening, bool signal);

// Fetches of a path per pixel, all axes together, if nothing is widened.
int fetches(const MethodInfo& method, FetchPath path, bool signal);

}  // namespace texelscope
