#pragma once

#include <string>

#include "app/state/app_state.h"
#include "gpu/method/spec.h"

namespace texelscope {

// A method with its settings in words: "Cubic B-spline · iir · hardware".
std::string words(const MethodSpec& spec);

// The same without the fetch path: "Cubic B-spline · iir".
std::string words_without_path(const MethodSpec& spec);

// The contents of a pane in words, by default of the focused one: "Cubic B-spline · iir · antialiased × 4 · swirl
// 180°".
std::string shown_words(const AppState& state, std::optional<int> pane = {});

// The same without the method: "antialiased · linear light"; empty if there is nothing to say.
std::string sampling_words(const AppState& state, std::optional<int> pane = {});

}  // namespace texelscope
