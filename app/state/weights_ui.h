#pragma once
// The editor of a weight function's text, as data.

#include <string>
#include <vector>

#include "gpu/weights/weight_file.h"

namespace texelscope {

struct MethodInfo;

struct WeightsUi {
    bool open = false;
    std::string text;                     // as typed; perhaps wrong
    std::vector<WeightProblem> problems;  // of that text; the last good function stays in use
    const MethodInfo* made = nullptr;     // that the text was taken from, or has become
};

}  // namespace texelscope
