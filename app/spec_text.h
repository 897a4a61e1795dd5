#pragma once

#include <string>

#include "app/state.h"
#include "gpu/method/spec.h"

namespace texelscope {

// A method with its settings in words: "Cubic B-spline · iir · hardware".
std::string words(const MethodSpec& spec);

// What the picture area shows, in words: "Cubic B-spline · iir · antialiased × 4 · swirl 180°".
std::string shown_words(const AppState& state);

// The same without the method: "antialiased · linear light"; empty where there is nothing to say.
std::string sampling_words(const AppState& state);

}  // namespace texelscope
