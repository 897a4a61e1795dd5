#pragma once
// The words of a formula: which there are, and whether they fit together. No value is computed here.

#include <array>
#include <optional>
#include <string_view>

#include "gpu/weights/weight_file.h"

namespace texelscope {

inline constexpr std::array<std::string_view, 9> formula_functions = {"abs",  "min", "max",  "sin", "cos",
                                                                      "sinc", "exp", "sqrt", "pow"};

// Does a word begin with a letter, followed by letters, digits and underscores?
bool is_identifier(std::string_view word);

// A word that no parameter may be called: of formulas, or of method specs.
bool is_reserved(std::string_view word);

// What is wrong with the formula's words, parentheses or depth.
std::optional<WeightProblem> problem_of_words(const WeightFile& file);

}  // namespace texelscope
