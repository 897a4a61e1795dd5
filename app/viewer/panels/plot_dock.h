#pragma once
// The tabs of the dock at the right: the contents of one window, inside its padding.

#include <span>
#include <string>

#include "app/state/app_state.h"

namespace texelscope::panels {

void profile_tab(AppState& state);
void curves_tab(AppState& state);
void histogram_tab(AppState& state);
void taps_tab(AppState& state);
void source_tab(AppState& state);  // of a lesson

// Of the curves: what the path `hardware` does, above the others, whose height is given. How many such heights that
// takes: 0 where no pane has that path and a method with linear-filtered fetches.
void fetch_plots(AppState& state, float height);
float fetch_plot_heights(const CurvesReport& report);

// The lesson's step has pieces of source to read.
bool has_source_tab(const AppState& state);

// Buttons for the channels of an image; −1 is luma where there are colours.
void channel_row(AppState& state, int channels, bool has_alpha, bool with_luma);

// "R", "G", … of a picture; "re", "im" of complex data; "v".
const char* channel_name(int channels, bool has_alpha, int channel);

}  // namespace texelscope::panels
