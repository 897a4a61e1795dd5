#pragma once
// The figures of panes in words, always with what they are measured against.

#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "app/text/figures.h"

namespace texelscope {

// What the pane is measured against.
Against against_of(const AppState& state, int pane);

// What is to be known of figures against the formula of an image: pixels that are not measured, and that its samples are
// rounded while the formula is not. Whole sentences, one per line; empty if there is nothing to say.
std::string truth_remarks(const Image& image, const Metrics& metrics);

// Its figures in one line, the longest first: the first that fits is to be shown. The last may be cut at its end.
// Empty before anything is known.
std::vector<std::string> figure_lines(const AppState& state, int pane);

// Several lines: what was measured, against which reference, over which part and how many pixels; time and cost.
std::string figures_explained(const AppState& state, int pane);

}  // namespace texelscope
