#pragma once
// Letters and white space without a locale.

#include <string>
#include <string_view>

namespace texelscope {

// A … Z become a … z, all else stays; of any type of character.
template <class Character> constexpr Character lower_case(Character c) {
    return c >= 'A' && c <= 'Z' ? Character(c + ('a' - 'A')) : c;
}

inline std::string lower_case(std::string text) {
    for (char& c : text) c = lower_case(c);
    return text;
}

// Without white space at either end.
inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view white = " \t\r\n";
    const size_t first = text.find_first_not_of(white);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(white) - first + 1);
}

}  // namespace texelscope
