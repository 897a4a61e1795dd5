#pragma once
// The tabs of the dock at the right: the contents of one window, inside its padding.

#include "app/state/app_state.h"
#include "app/viewer/widgets/plot_view.h"

namespace texelscope::panels {

void profile_tab(AppState& state);
void curves_tab(AppState& state);
void spectrum_tab(AppState& state);
void histogram_tab(AppState& state);
void statistics_tab(AppState& state);
void taps_tab(AppState& state);
void stage_tab(AppState& state);
void formula_tab(AppState& state);  // of the active pane's weight function
void source_tab(AppState& state);   // of a lesson

// The weight functions of the panes in view and their spectra, each plot `height` tall.
void function_and_spectrum(AppState& state, float height);

// The plots of the `hardware` path, above the other curves, each `height` tall; the second function returns how many
// such heights they take: 0 if no pane has that path and a method with linear-filtered fetches.
void fetch_plots(AppState& state, float height, gui::PlotFocus& focus);
float fetch_plot_heights(const CurvesReport& report);

// Whether there is so little height that the plot comes first, and what it is set by below it: the dock scrolls.
bool is_low();

// Whether the lesson's step has excerpts of source to read.
bool has_source_tab(const LessonState& lesson);

// Buttons for what is counted: the selection, or all, in these words; false without a selection.
bool part_row(const Scene& scene, InspectUi& inspect, const char* of_selection, const char* all, const char* of_all);

// Buttons for the channels of an image; −1 is luma for colour images.
void channel_row(InspectUi& inspect, int channels, bool has_alpha, bool with_luma);

// "R", "G", … for a picture; "re", "im" for complex data; "v".
const char* channel_name(int channels, bool has_alpha, int channel);

}  // namespace texelscope::panels
