#pragma once
// Panes in words.

#include <optional>
#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "app/text/text.h"

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

// Names of a pane for less and less space: pane_label; of that, what not all panes have in common; short_label.
std::vector<std::string> pane_labels(const AppState& state, int pane);

// The figures of panes in words, always with what they are measured against.

// What the pane is measured against.
Against against_of(const AppState& state, int pane);

// What all panes in view that show a difference, or with `figures` also those with a figure, are against:
// "quintic B-spline". Empty if there is none, or if they are not all against the same.
std::string shared_reference(const AppState& state, bool figures);

// A pane's figure for less and less space: "against cubic B-spline: 31.1 dB", "31.1 dB". The latter only if what that
// is against is named elsewhere. Zoomed out: "likeness to cubic B-spline: 31.1 dB". Empty before it is known.
enum class Named { here, elsewhere };
std::vector<std::string> chip_figures(const AppState& state, int pane, Named named);

// What colours and decibels of the panes mean, for less and less space: "Difference and dB against quintic B-spline",
// zoomed out "dB against quintic B-spline: likeness, not quality".
// Empty if there is nothing to say.
std::vector<std::string> comparison_words(const AppState& state, bool differences, bool figures);

// Of the PSNR of all panes: one, or two or three if with fewer, panes in view that differ would read alike.
int psnr_decimals(const AppState& state);

// The one figure that tells most: "40.3 dB", "error 2e-8", "reference"; empty before it is known.
std::string short_figure(const AppState& state, int pane);

// What is to be known of figures against the formula of an image: pixels that are not measured, and that its samples are
// rounded while the formula is not. Whole sentences, one per line; empty if there is nothing to say.
std::string truth_remarks(SampleType samples, const Metrics& metrics);

// Which pixels of the image in the pane are left out of its figures: one sentence, empty if there are none.
std::string left_out_words(const AppState& state, int pane, const Metrics& metrics);

// Several lines: what was measured, against which reference, over which part and how many pixels; time and cost.
std::string figures_explained(const AppState& state, int pane);

}  // namespace texelscope
