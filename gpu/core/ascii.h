#pragma once
// Letters without a locale.

#include <string>

namespace texelscope {

// A … Z become a … z, all else stays; of any type of character.
template <class Character> constexpr Character lower_case(Character c) {
    return c >= 'A' && c <= 'Z' ? Character(c + ('a' - 'A')) : c;
}

inline std::string lower_case(std::string text) {
    for (char& c : text) c = lower_case(c);
    return text;
}

}  // namespace texelscope
