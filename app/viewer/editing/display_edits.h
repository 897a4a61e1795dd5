#pragma once
// Edits of how values become colours of the screen and plots, and of lines of samples.

#include <optional>
#include <string>

#include "app/files/test_images/test_images.h"
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

// Offers, once, to plot the document, just read, if it is a single row or column, which is seen as a hairline.
void offer_plot(AppState& state, const Document& document);

// The profile keeps its line until another row, column or line is chosen.
void choose_along(AppState& state, ProfileLine::Along along);

// Keeps the current row or column, or lets it follow the cursor again.
void pin_profile(Scene& scene, const Report& report, bool pinned);

// The unit that all values are written in.
void choose_value_unit(UiState& ui, ValueUnit unit);

// Lines of samples ("@samples:…", "@signal:…").

// That of the current document; empty for others.
std::optional<SampleLine> shown_line(const Scene& scene);

// Shows this line in its place. Does nothing if the document is no line of samples.
void change_line(Scene& scene, const SampleLine& line);

// Sample k of the line gets this value, rounded to what can be told apart in a plot whose values span `range`. It is no
// longer that of a formula.
void move_sample(Scene& scene, size_t k, double value, double range);

}  // namespace texelscope
