#pragma once
// The result of restoring in every form: for the terminal, the window and files.

#include <functional>
#include <string>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/studies/experiments/result.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/value_text.h"

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

// The columns of the table of restored methods: one source of names, explanations and formats, for terminal, window and
// report.

struct RestoredColumn {
    std::string name, unit;  // "PSNR", "dB"; no unit: a plain number, or words
    std::string meaning;     // a sentence
    std::function<std::string(const RestoredMethod&)> text;
    std::function<double(const RestoredMethod&)> value = {};  // in the unit, NaN if there is none; empty: words
    int digits = 3;                                           // significant ones of the value in a report; 0: all
    bool more_is_better = false;
    std::string plain = {};  // heading in words, where there is room for it

    std::string heading() const { return unit.empty() ? name : name + " " + unit; }
};

// A method within a sentence; with its settings if it is among these more than once.
std::string name_among(const RestoredMethod& method, const std::vector<RestoredMethod>& methods);

// Method, SPEC, figures of the interior, PSNR over all, costs; of ΔE2000 if the picture has colours. Errors in the unit of
// `scale`. The numbers of a column have equally many decimals.
std::vector<RestoredColumn> restored_columns(const RestoringResult& result, const ValueScale& scale = {});

// "shrunk to 128×128 by lanczos3, antialiased, in linear light".
std::string done_words(const RestoringPlan& plan);

// "Closer to the original than anything with as few fetches: nearest neighbour, bilinear and quintic B-spline." Empty if
// no method can be judged.
std::string front_words(const RestoringResult& result);

// The spot of a picture that panes show: where it is, its pixels as the viewer shows them, and the panes themselves.
// Internal to this folder.

// Around this pixel of a picture of this size: large enough for 24 samples of a small picture along each axis.
// (−1, −1): in the centre. Without its pixels.
WorstSpot spot_around(Extent size, const Restoration& restoration, int worst_x, int worst_y);

// f32, premultiplied if there is alpha, as u8 × 4, opaque. If the original has floats above 1, the largest is white.
Image shown(const Image& values, const Image& original);

// The original and the methods that have a pane, with letters, names and figures. Throws Error if there are none.
std::vector<SheetPane> restored_panes(const RestoringResult& result);

// "around the largest error of Quintic B-spline · iir".
std::string spot_place(const RestoringResult& result);

// The spot's size and place: "96×96 pixels around …".
std::string spot_words(const RestoringResult& result);

}  // namespace texelscope
