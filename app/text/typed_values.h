#pragma once
// The argument of an option as a value. Each function throws UsageError that names the option, the argument, and what
// would be right.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/names.h"
#include "gpu/core/view.h"

namespace texelscope {

// A finite number.
double parse_real(std::string_view option, std::string_view text);
double parse_positive(std::string_view option, std::string_view text);

// How many times larger: from 1/max_image_side, one pixel of the longest image, to max_image_side.
double parse_factor(std::string_view option, std::string_view text);

// "2.5", for both axes, or "2.5,3".
Point parse_pair(std::string_view option, std::string_view text);
Point parse_factors(std::string_view option, std::string_view text);  // each as parse_factor does

// "640x480", sides from 1 to max_image_side.
Extent parse_size(std::string_view option, std::string_view text);

// "on" or "off".
bool parse_on_off(std::string_view option, std::string_view text);

// The names of the choices (name_of).
template <class Choice> std::vector<std::string_view> names_of(std::span<const Choice> choices) {
    std::vector<std::string_view> names;
    for (const Choice choice : choices) names.push_back(name_of(choice));
    return names;
}

// "grey|ember|lagoon", for help texts.
template <class Choice> std::string alternatives(std::span<const Choice> choices = all_values<Choice>) {
    return fmt::format("{}", fmt::join(names_of(choices), "|"));
}

// The one of `choices` with this name (name_of).
template <class Choice>
Choice parse_choice(std::string_view option, std::string_view text,
                    std::span<const Choice> choices = all_values<Choice>);

// "swirl", with its default strength, or "swirl:90".
Warp parse_warp(std::string_view option, std::string_view text);

// "swirl (degrees, -720 to 720, default 180), …", for help texts.
std::string warp_help();

// "u8, u16 or f32".
std::string either(std::span<const std::string_view> words);

[[noreturn]] void throw_unknown_choice(std::string_view option, std::string_view text,
                                       std::span<const std::string_view> words);

template <class Choice>
Choice parse_choice(std::string_view option, std::string_view text, std::span<const Choice> choices) {
    for (const Choice choice : choices)
        if (name_of(choice) == text) return choice;
    throw_unknown_choice(option, text, names_of(choices));
}

// Numbers as they are typed into fields.

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
