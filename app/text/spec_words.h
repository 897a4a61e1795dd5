#pragma once
// Methods and warps in words.

#include <string>

#include "gpu/core/warp.h"
#include "gpu/method/spec.h"

namespace texelscope {

// A method's name within a sentence: "cubic B-spline", "Catmull–Rom".
std::string name_in_text(const MethodInfo& method);

// A method with its settings in words: "Cubic B-spline · iir · hardware".
std::string words(const MethodSpec& spec);

// The same without the fetch path: "Cubic B-spline · iir".
std::string words_without_path(const MethodSpec& spec);

// "swirl 180°", "barrel 0.3", "ripple 4 samples"
std::string words(const Warp& warp);

}  // namespace texelscope
