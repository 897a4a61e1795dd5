#pragma once
// The editor of a CUDA kernel's text, as data.

#include <string>
#include <vector>

#include "gpu/weights/weight_file.h"

namespace texelscope {

struct MethodInfo;

struct KernelUi {
    std::string text;                     // as typed; perhaps wrong
    std::vector<WeightProblem> problems;  // of that text; the last good kernel stays in use
    std::string said;                     // of the compiler, if there are none: what came of it
    const MethodInfo* made = nullptr;     // that the text was taken from, or has become
    bool waits = false;                   // has been typed and not compiled yet
    bool at_once = false;                 // does not wait until typing rests
    bool compiling = false;
    double typed_at = 0;  // AppState::now
};

}  // namespace texelscope
