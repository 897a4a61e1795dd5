#pragma once
// The program that is compiled of a KernelFile: the dialect's own part before the text, the kernel that calls it after it;
// and what both sides of a launch know.

#include <string>
#include <vector>

#include "gpu/kernels/kernel_file.h"

namespace texelscope {

// Why a kernel was stopped. Written by the first pixel that was, in memory that the host reads.
struct KernelStop {
    enum Reason : int { none, turns, time, index };
    int reason = none;
    int i = 0, j = 0;  // that pixel of the output
};

// The argument of the kernel, as both compilers lay it out.
struct KernelArguments {
    const void* texels = nullptr;  // samples, without margin
    unsigned long long row_bytes = 0;
    const double* positions = nullptr;  // x, y of each pixel of the launch, in sample space; NaN: nothing is computed
    float* values = nullptr;            // four of each pixel
    unsigned long long* started = nullptr;  // nanoseconds of the GPU's clock; 0: not yet
    int* stopped = nullptr;                 // not 0: no more pixels
    KernelStop* stop = nullptr;
    unsigned long long most_ns = 0;
    double scale = 1;
    long long first = 0;  // pixel of the output, row by row; the launch computes `count` from there on
    int type = 0, channels = 1, has_alpha = 0, image_channels = 1;
    int width = 1, height = 1, address_x = 0, address_y = 0, one_dimensional = 0;
    int output_width = 1, output_height = 1, count = 0;
    int turns = KernelFile::loop_turns;
    float parameters[KernelFile::most_parameters] = {};
    float border[4] = {};  // a tap beyond a border
};

inline constexpr const char* kernel_entry = "ts_kernel";
inline constexpr size_t kernel_stack_bytes = 8192;     // of one thread: a GPU keeps as much for all that it can run
inline constexpr int kernel_block = 256;               // threads, along x
inline constexpr int kernel_launch_pixels = 1 << 18;   // the most of one launch
inline constexpr double kernel_launch_seconds = 0.25;  // and the time that it may take

// Lines of the text are those of a file called `kernel`.
std::string kernel_program(const KernelFile& file);

// What the compiler says, at the lines of the text; never empty. What it says of the other parts is at line 1.
std::vector<KernelProblem> problems_of_log(std::string_view log);

// Why a kernel was stopped, one sentence.
std::string stop_sentence(const KernelStop& stop, std::string_view name);

}  // namespace texelscope
