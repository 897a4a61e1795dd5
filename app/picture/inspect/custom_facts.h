#pragma once
// What is derived from a custom method's formula, in words.

#include <string>
#include <vector>

#include "gpu/method/spec.h"

namespace texelscope {

struct CustomFact {
    std::string label, text;
};

// With the spec's parameters; the method is custom. Throws Error if its formula has no weights with these.
std::vector<CustomFact> custom_facts(const MethodSpec& spec);

// The built-in method that has, with standard parameters, the same weights to 1e-6; null if there is none.
const MethodInfo* equal_method(const MethodSpec& spec);

}  // namespace texelscope
