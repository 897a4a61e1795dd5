#pragma once
// A method as a page of text: its record, its weights, and how its taps become linear-filtered fetches.

#include <string>

#include "gpu/method/spec.h"

namespace texelscope {

std::string method_page(const MethodSpec& spec);

}  // namespace texelscope
