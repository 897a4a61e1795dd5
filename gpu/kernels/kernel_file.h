#pragma once
// A CUDA function as text, in the dialect of docs/kernels.md: read, refused where it leaves the dialect, and its loops
// given a budget. Nothing is compiled here; nothing of it needs CUDA.

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

}  // namespace texelscope
