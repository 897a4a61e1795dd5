#pragma once
// A weight function as text: the format of docs/weights.md, read into its parts. The formula is checked here for words
// and parentheses; what it means is for Formula.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

// What is wrong with a text, and where; the sentence stands under that line.
struct WeightProblem {
    int line = 1, column = 1;  // from 1, line 0: in no line; columns count bytes
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
    static constexpr double least_radius = 0.25, largest_radius = 8;

    std::string name = "Custom";
    double radius = 0;
    std::vector<WeightParameter> parameters;
    std::string formula;
    int formula_line = 1, formula_column = 1;  // where it begins, for what is found in it
    bool normalise = false;                    // weights are divided by their sum at each phase
    bool prefilter = true;                     // auto; false: none
};

// Either the parts, or the problems that were found, at most one for each line, in the order of lines; 0: of no line.
struct ParsedWeights {
    WeightFile file;
    std::vector<WeightProblem> problems;
};

ParsedWeights parse_weights(std::string_view text);

// "line 3, column 8: …"
std::string to_string(const WeightProblem& problem);

// The words of a formula: which there are, and whether they fit together. No value is computed here.

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

// What a radius must be that is not this.
bool is_radius(double radius);
std::string bad_radius_sentence(std::string_view shown);

struct ParameterLine {
    WeightParameter parameter;
    std::string problem;  // empty: none
    bool at_id = false;   // where the problem is: its name, else its value
};

// "0.5 from 0 to 1" for a parameter of this name.
ParameterLine parse_parameter(std::string_view id, std::string_view value);

}  // namespace texelscope
