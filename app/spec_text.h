#pragma once

#include <string>

#include "gpu/method/spec.h"

namespace texelscope {

// A method with its settings in words: "Cubic B-spline · iir · hardware".
std::string words(const MethodSpec& spec);

}  // namespace texelscope
