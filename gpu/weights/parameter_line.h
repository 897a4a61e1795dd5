#pragma once
// What texts of one's own methods have in common, weight functions and CUDA kernels: lines of key = value, names, parameters.

#include <string>
#include <string_view>

#include "gpu/weights/weight_file.h"

namespace texelscope {

// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

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
