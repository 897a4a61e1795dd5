#pragma once
// What antialiasing does to the picture of a pane, the focused one unless another is named: how far it widens the weight function, and what that costs.

#include "app/state/app_state.h"

namespace texelscope {

struct Widening {
    bool active = false;            // weights come from a table; the fetch path has no effect
    bool local = false;             // under a warp: how far differs from place to place
    double x = 1, y = 1;            // along the axes of sample space, on the level that is read; unless local
    int halved_x = 0, halved_y = 0;  // the level of the pyramid that is read: how often the image is halved

    bool from_pyramid() const { return halved_x > 0 || halved_y > 0; }
};

Widening shown_widening(const AppState& state, std::optional<int> pane = {});

// Of any pane in view.
bool any_widened(const AppState& state);

// Taps a pixel on the average, both axes together.
double widened_taps(const MethodInfo& method, const Widening& widening, bool signal);

// The fetches of a path a pixel, all axes together, where nothing is widened.
int fetches(const MethodInfo& method, FetchPath path, bool signal);

}  // namespace texelscope
