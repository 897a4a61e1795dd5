#pragma once
// Text as bytes: letters and white space without a locale, a hash, what a mistyped name may have meant, small text files.

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

// Letters are those of names in formulas and code.
constexpr bool is_word_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word_digit(char c) { return c >= '0' && c <= '9'; }

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

// The name that begins with the typed text, else the one that is the fewest letters away, in upper or lower case. Empty if
// none is near.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names);

// " (did you mean bspline?)", to follow what is wrong; empty if none is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names);

// What a missing file's name may have meant, of the names in its folder. Hidden files are not offered.
std::string did_you_mean_file(const std::filesystem::path& missing);

// A small text from a file: at most one byte more than `most`, so that more than that is seen. Pipes are read too. Throws FileError.
std::string read_text_file(const std::filesystem::path& path, size_t most);

}  // namespace texelscope
