#pragma once
// Edits of how values become colours of the screen.

#include <optional>
#include <string>

#include "app/picture/inspect/statistics.h"
#include "app/state/app_state.h"

namespace texelscope {

void change_exposure(Scene& scene, float stops);

// Each level pushes the other one along, so that black stays below white. What is not finite is ignored.
void set_black_level(Scene& scene, double value);
void set_white_level(Scene& scene, double value);

// Switches between the levels 0 and 1 and those of the data.
void toggle_levels(AppState& state);

// Locked, the levels of the active pane apply to all images; otherwise each image has its own.
void lock_levels(Scene& scene, bool locked);

// Levels at percentiles of the active pane's samples, in the selection if there is one: a share (0 … 0.5) of them becomes
// black, and as many white. A message says why if that cannot be.
void set_auto_contrast(AppState& state, double share);

// To what was found; a message if that is nothing.
void set_levels(Scene& scene, Messages& messages, const std::optional<Levels>& levels);

// A message says so if the active pane shows colours, which have no colour map.
void choose_false_colour(Scene& scene, Messages& messages, ColourMap map);

// Restores the display with which images open, with the levels of their data.
void reset_display(Scene& scene);
bool is_display_usual(const Scene& scene);

// Exposure, levels, tone curve, gamma and inverting as in the beginning; what changes of them, "exposure −0.5" or "levels
// 0 … 128 + 2 more", empty if nothing does.
void reset_tones(Scene& scene);
std::string tone_words(const AppState& state);

// All that exposure, tone curve, gamma and inverting change, "exposure +1, gamma 2.2"; empty if nothing.
std::string tones_in_words(const DisplaySettings& display);

// "levels 12.3 … 845 from the data", in the unit of the values, if that is what the active pane shows; else empty.
std::string levels_words(const AppState& state);

// Edits for inspecting: the open plot, the line of the profile, the display of values.

// Opens the tab of the dock; closes the dock if that tab is already open.
void toggle_dock(UiState& ui, Dock dock);

// Outlines the taps on the picture and lists them, or stops doing both.
void toggle_taps(UiState& ui);

// The profile keeps its line until another row, column or line is chosen.
void choose_along(AppState& state, ProfileLine::Along along);

// Keeps the current row or column, or lets it follow the cursor again.
void pin_profile(Scene& scene, const Report& report, bool pinned);

// The unit that all values are written in.
void choose_value_unit(UiState& ui, ValueUnit unit);

}  // namespace texelscope
