#pragma once
// What the numbers on a pane mean, with those it shows now as the example.

#include <string>
#include <vector>

#include "app/state/app_state.h"

namespace texelscope {

struct NumberMeaning {
    std::string name, figure;  // "PSNR", "31.1 dB"; a figure that is not known is "–"
    std::string words;         // whole sentences
};

// "Pane B shows bilinear. Against quintic B-spline it reaches 31.1 dB: …"
std::string numbers_in_short(const AppState& state, int pane);

// Label, reference, figures of error, cost and the value under the cursor, in the order in which they are explained.
std::vector<NumberMeaning> numbers_explained(const AppState& state, int pane);

}  // namespace texelscope
