#pragma once
// A weight function as text: the format of docs/weights.md, read into its parts. The formula is checked here for words
// and parentheses; what it means is for Formula.

#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

// What is wrong with a text, and where; the sentence stands under that line.
struct WeightProblem {
    int line = 1, column = 1;  // from 1; columns count bytes
    std::string sentence;
    bool operator==(const WeightProblem&) const = default;
};

struct WeightParameter {
    std::string id;
    double minimum = 0, maximum = 1, standard = 0;
    bool operator==(const WeightParameter&) const = default;
};

// The parts of a text. Outside −radius ≤ x < radius all is zero, whatever the formula says.
struct WeightFile {
    static constexpr size_t most_bytes = 16384, most_formula_bytes = 2048, most_name_bytes = 80;
    static constexpr int most_depth = 32;
    static constexpr size_t most_parameters = 4;
    static constexpr double largest_radius = 8;

    std::string name = "Custom";
    double radius = 0;
    std::vector<WeightParameter> parameters;
    std::string formula;
    int formula_line = 1, formula_column = 1;  // where it begins, for what is found in it
    bool normalise = false;                    // weights are divided by their sum at each phase
    bool prefilter = true;                     // auto; false: none
};

// Either the parts, or the problems that were found, at most one for each line, in the order of lines.
struct ParsedWeights {
    WeightFile file;
    std::vector<WeightProblem> problems;
};

ParsedWeights parse_weights(std::string_view text);

// "line 3, column 8: …"
std::string to_string(const WeightProblem& problem);

}  // namespace texelscope
