#pragma once
// Panes in words.

#include <optional>
#include <string>
#include <vector>

#include "app/state/app_state.h"

namespace texelscope {

// The contents of a pane in words, by default of the focused one:
// "Cubic B-spline · iir · antialiased × 4 · swirl 180°".
std::string shown_words(const AppState& state, std::optional<int> pane = {});

// shown_words() without technical terms: "Cubic B-spline · exact prefilter · antialiased".
std::string shown_in_plain_words(const AppState& state, std::optional<int> pane = {});

// shown_words() without the method: "antialiased · linear light"; empty if there is nothing to say.
std::string sampling_words(const AppState& state, std::optional<int> pane = {});

// What a pane's figure and difference are against, within a sentence: "quintic B-spline", "the original", "its exact
// result"; the name of another pane, "A".
std::string reference_name(const Scene& scene, int pane);

// What is on the screen while Shift is held over a pane: "reference · the formula"; or that it has none, and why.
std::string reference_label(const AppState& state, int pane);

// What a pane's figure and difference are against, in full: "quintic B-spline, exact, in float64".
std::string reference_words(const AppState& state, int pane);

// The scene's reference in full, whatever a pane is against instead; an image as the active pane sees it.
std::string scene_reference_words(const Scene& scene);

// The method with what matters: settings that are not its default, or in which panes in view differ. "Cubic B-spline",
// "Cubic B-spline · no prefilter", "Bilinear · antialiased" beside one that is not; or the label given to it. The whole is
// in shown_words().
std::string pane_label(const AppState& state, int pane);

// Only what tells panes apart while the panels are hidden: "Cubic B-spline", "difference · Bilinear", or the label given
// to it.
std::string short_label(const AppState& state, int pane);

// Names of a pane for less and less space: pane_label; of that, what not all panes have in common; short_label;
// the method's id.
std::vector<std::string> pane_labels(const AppState& state, int pane);

}  // namespace texelscope
