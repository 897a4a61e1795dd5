#pragma once
// The result of restoring in every form: for the terminal, the window and files.

#include <string>
#include <vector>

#include "app/studies/experiments/result.h"
#include "app/studies/restoring/restoring.h"

namespace texelscope {

// For a terminal: what was done to which picture, and a row for each method.
std::string restoring_text(const RestoringResult& result);

// Described in docs/compare.md.
std::string restoring_json(const RestoringResult& result);

// In words, with table, plot, panes and settings: result_as_html() makes a page of it, write_folder() files.
ExperimentResult restoring_report(const RestoringResult& result);

// PSNR against cost, every point with its method's name, the front marked and labelled. Empty if no method has a finite
// PSNR.
std::optional<Plot> quality_plot(const RestoringResult& result, Cost cost);

// The worst spot in the original and in the panes of the best methods, with their figures. Throws Error if the plan had
// no panes. `columns` 0: about 16:9.
Image restoring_sheet(const RestoringResult& result, int columns = 0);

// The command that computes it again.
std::string command_words(const RestoringPlan& plan, BackendKind backend);

// The answer to "which is best for this picture?", in one sentence.

// "Quintic B-spline restores this picture best: 32.1 dB against the original; cubic B-spline is 0.2 dB behind with 16
// instead of 36 fetches." By PSNR over the interior and by fetches; `methods`: the best first, as in a result.
std::string verdict(const Restoration& restoration, const std::vector<RestoredMethod>& methods);

}  // namespace texelscope
