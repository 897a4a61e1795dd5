#pragma once
// The columns of the table of restored methods: one source of names, explanations and formats, for terminal, window and
// report.

#include <functional>
#include <string>
#include <vector>

#include "app/studies/restoring/restoring.h"
#include "app/text/value_text.h"

namespace texelscope {

struct RestoredColumn {
    std::string name, unit;  // "PSNR", "dB"; no unit: a plain number, or words
    std::string meaning;     // a sentence
    std::function<std::string(const RestoredMethod&)> text;
    std::function<double(const RestoredMethod&)> value = {};  // in the unit, NaN if there is none; empty: words
    int digits = 3;                                           // significant ones of the value in a report; 0: all
    bool more_is_better = false;

    std::string heading() const { return unit.empty() ? name : name + " " + unit; }
};

// Method, SPEC, figures of the interior, PSNR over all, costs; of ΔE2000 if the picture has colours. Errors in the unit of
// `scale`. The numbers of a column have equally many decimals.
std::vector<RestoredColumn> restored_columns(const RestoringResult& result, const ValueScale& scale = {});

// "shrunk to 128×128 by lanczos3, antialiased, in linear light".
std::string done_words(const RestoringPlan& plan);

// "Closer to the original than anything with as few fetches: nearest neighbour, bilinear and quintic B-spline." Empty if
// no method can be judged.
std::string front_words(const RestoringResult& result);

}  // namespace texelscope
