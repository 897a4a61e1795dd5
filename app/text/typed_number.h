#pragma once
// Numbers as they are typed into fields.

#include <optional>
#include <string>
#include <string_view>

namespace texelscope {

// A finite number and nothing else, with a plus or minus sign of either kind.
std::optional<double> number_in(std::string_view text);

// What a field takes.
struct NumberRange {
    std::string_view name;  // within a sentence: "factor"
    double low = 0, high = 0;
    std::string_view unit = {};  // after each number, with its space: "°", " samples"
    bool whole = false;          // no fractions
    bool zero = true;            // 0 is taken, if it is in the range
};

// The number, or a sentence that says what would be one.
struct TypedNumber {
    std::optional<double> value;
    std::string problem;
};
TypedNumber typed_number(std::string_view text, const NumberRange& range);

}  // namespace texelscope
