#pragma once
// Every method as a text that can be edited.

#include <string>

#include "gpu/method/spec.h"

namespace texelscope {

// Of a built-in method with the spec's parameters, or of a custom one its own text.
std::string weights_text(const MethodSpec& spec);

}  // namespace texelscope
