#pragma once
// Enumerations whose values have names. Beside the enumeration E stand a table with one row for each value and
// `names_table(E)`, which returns it; names, lists of values, menus, parsing and session files follow from the table.

#include <array>
#include <iterator>
#include <string_view>

namespace texelscope {

// A row of most tables; others have at least `value` and `name`.
template <class Choice> struct NamedValue {
    Choice value;
    std::string_view name;          // on the command line, in session files and reports
    std::string_view meaning = {};  // a sentence, for tooltips
    std::string_view title = {};    // in menus, if that is not the name

    constexpr std::string_view label() const { return title.empty() ? name : title; }
};

template <class Choice>
concept HasNames = requires(Choice choice) {
    names_table(choice);
};

template <HasNames Choice> constexpr const auto& row_of(Choice choice) {
    for (const auto& row : names_table(choice))
        if (row.value == choice) return row;
    return names_table(choice)[0];
}

template <HasNames Choice> constexpr std::string_view name_of(Choice choice) { return row_of(choice).name; }

template <HasNames Choice> constexpr auto values_in_table() {
    std::array<Choice, std::size(names_table(Choice{}))> values{};
    for (size_t i = 0; i < values.size(); ++i) values[i] = names_table(Choice{})[i].value;
    return values;
}
// All values, in the order of the table.
template <HasNames Choice> inline constexpr auto all_values = values_in_table<Choice>();

}  // namespace texelscope
