#pragma once
// The words of the dialect: tokens of a text, and which of them it may not have.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

struct KernelToken {
    enum class Kind { word, number, sign };
    Kind kind = Kind::sign;
    std::string_view text;  // of a sign one character, but for those that begin with the same: && & ++ -> …
    size_t at = 0;          // its first byte
};

struct KernelTokens {
    std::vector<KernelToken> tokens;
    std::string problem;    // why the text cannot be divided into them; empty: it can
    size_t problem_at = 0;  // its byte
};

// Without comments. Tokens refer to the text.
KernelTokens kernel_tokens(std::string_view text);

// Why the dialect has no such word, one sentence; nothing if it may be used. Words that begin with __ or ts_ among them.
std::optional<std::string> why_no_word(std::string_view word);

// A type that needs no declaration: float, uint4, auto, Source, …
bool is_type_word(std::string_view word);

// Words of C++ and of the dialect: nothing can be called so.
bool is_taken_word(std::string_view word);

}  // namespace texelscope
