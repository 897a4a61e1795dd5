#pragma once
// A CUDA function as text, in the dialect of docs/kernels.md: read, refused where it leaves the dialect, and its loops
// given a budget. Nothing is compiled here; nothing of it needs CUDA.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/weights/weight_file.h"

namespace texelscope {

using KernelProblem = WeightProblem;

struct KernelFile {
    static constexpr size_t most_bytes = 65536, most_parameters = 4;
    static constexpr int loop_turns = 65536;  // of all loops together, for one pixel

    std::string name = "Own kernel";
    std::vector<WeightParameter> parameters;

    // The text with a call of ts_turn() in the condition of every loop, on the same lines.
    std::string code;
};

// Either the parts, or what is wrong, at most one problem for each line, in the order of lines.
struct ParsedKernel {
    KernelFile file;
    std::vector<KernelProblem> problems;
};

ParsedKernel parse_kernel(std::string_view text);

// Whether a text is meant to be a kernel, not a weight function: the word float4 stands in
// it, and not in a comment of weight functions.
bool is_kernel_text(std::string_view text);

// The words of the dialect: tokens of a text, and which of them it may not have.

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
