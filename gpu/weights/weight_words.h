#pragma once
// The words of a formula: which there are, and whether they fit together. No value is computed here.

#include <array>
#include <optional>
#include <string>
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

// What texts of one's own methods have in common, weight functions and CUDA kernels: lines of key = value, names, parameters.

// A finite number and nothing else.
bool parse_number(std::string_view text, double& value);

// Quoted in a sentence: short, and of printable characters.
std::string shown(std::string_view text);

// Whether menus can show it: at most WeightFile::most_name_bytes, printable.
bool is_shown_name(std::string_view name);
std::string bad_name_sentence();

struct ParameterLine {
    WeightParameter parameter;
    std::string problem;  // empty: none
    bool at_id = false;   // where the problem is: its name, else its value
};

// "0.5 from 0 to 1" for a parameter of this name.
ParameterLine parse_parameter(std::string_view id, std::string_view value);

}  // namespace texelscope
