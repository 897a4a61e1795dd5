#pragma once
// Text as bytes: letters and white space without a locale, a hash.

#include <cstddef>
#include <cstdint>
#include <span>
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

// Without white space at either end. What is left, even if it is empty, lies within the text.
inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view white = " \t\r\n";
    const size_t first = text.find_first_not_of(white);
    return first == text.npos ? text.substr(text.size()) : text.substr(first, text.find_last_not_of(white) - first + 1);
}

// FNV-1a of 64 bits, on from `hash`. It tells what is unlike by accident apart, not what is made to look alike.
inline uint64_t fnv1a(std::span<const std::byte> bytes, uint64_t hash = 0xCBF29CE484222325u) {
    for (const std::byte b : bytes) hash = (hash ^ std::to_integer<uint64_t>(b)) * 0x100000001B3u;
    return hash;
}

}  // namespace texelscope
