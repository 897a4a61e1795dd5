#pragma once
// Kernels of one's own: their texts and dialect, the program made of one, the compiler, and code that is compiled and
// found again.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/weights/weights.h"

namespace texelscope {

// NVRTC, CUDA's compiler as a library: found when the program runs, never linked. Nothing here needs CUDA's headers or a
// GPU.

// Its machine code (or PTX for the driver to compile), or why there is none.
struct CompiledProgram {
    std::string code;  // empty: it does not compile
    std::string log;
};

class Nvrtc {
public:
    struct Functions;

    // The library of this file, its builtins loaded from the same folder first. Throws Unavailable.
    explicit Nvrtc(const std::filesystem::path& file);
    ~Nvrtc();

    int version() const { return version_; }  // 13000 for 13.0
    const std::filesystem::path& file() const { return file_; }

    // For a compute capability, 10 · major + minor; for one that it does not know PTX for the newest below that. From any
    // thread. Throws Unavailable for a GPU that is too old.
    CompiledProgram compile(const std::string& program, int compute_capability) const;

    // The least that it compiles for.
    int oldest() const { return supported_.front(); }

private:
    std::filesystem::path file_;
    std::unique_ptr<Functions> functions_;
    std::vector<int> supported_;
    int version_ = 0;
};

// Where it may be, in the order in which it is tried: what TEXELSCOPE_NVRTC says, a file or a folder, and nothing else
// then; the loader's own places; CUDA_PATH, CUDA_HOME, /usr/local/cuda, /opt/cuda, the newest version first.
std::vector<std::filesystem::path> nvrtc_places();

// The first that can be loaded, once for the life of the program. Throws Unavailable, with what to install.
const Nvrtc& nvrtc();

// Throws Unavailable if none of the files can be loaded.
std::unique_ptr<Nvrtc> load_nvrtc(const std::vector<std::filesystem::path>& places);

// A CUDA function as text, in the dialect of docs/kernels.md: read, refused where it leaves the dialect, and its loops
// given a budget. Nothing is compiled here; nothing of it needs CUDA.

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

// The program that is compiled of a KernelFile: the dialect's own part before the text, the kernel that calls it after it;
// and what both sides of a launch know.

// Why a kernel was stopped. Written by the first pixel that was, in memory that the host reads.
struct KernelStop {
    enum Reason : int { none, turns, time, index, block, picture };  // the last two on the CPU: of time
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

// On the CPU: the pixels that are computed together, and the time that they and so many as in a launch may take.
inline constexpr int kernel_lanes = 128;
inline constexpr double kernel_block_seconds = 4, kernel_picture_seconds = 10;

// Lines of the text are those of a file called `kernel`.
std::string kernel_program(const KernelFile& file);

// What the compiler says, at the lines of the text; never empty. What it says of the other parts is at line 1.
std::vector<KernelProblem> problems_of_log(std::string_view log);

// Why a kernel was stopped, one sentence.
std::string stop_sentence(const KernelStop& stop, std::string_view name);

// Kernels as code: compiled, and found again.

// Compiled kernels on disk, by their content: what was compiled once is not compiled again.

// $XDG_CACHE_HOME/texelscope/kernels, or ~/.cache/…; empty: there is no such place.
std::filesystem::path kernel_cache_folder();

class KernelCache {
public:
    static constexpr size_t most_files = 256;

    explicit KernelCache(std::filesystem::path folder = kernel_cache_folder()) : folder_(std::move(folder)) {}

    // What was kept for exactly this key, which may be as long as a program. A damaged file is nothing.
    std::optional<std::string> find(const std::string& key) const;

    // Whole or not at all; what cannot be written is not kept. The oldest of more than most_files are removed.
    void keep(const std::string& key, const std::string& code) const;

private:
    std::filesystem::path file_of(const std::string& key) const;
    void remove_oldest() const;
    std::filesystem::path folder_;
};

// From the text of a kernel to code that a GPU runs.

// With the lines of what is wrong; its text is the first of them.
class KernelError : public Error {
public:
    explicit KernelError(std::vector<KernelProblem> of) : Error(to_string(of.front())), problems(std::move(of)) {}
    std::vector<KernelProblem> problems;  // never empty
};

struct KernelCode {
    std::string bytes;      // machine code, or PTX
    bool was_kept = false;  // found in the cache
};

// For a compute capability, 10 · major + minor; 0: the least that the compiler knows, to see whether the text compiles.
// From any thread. Throws KernelError, or Unavailable if there is no compiler.
std::shared_ptr<const KernelCode> compile_kernel(const KernelFile& file, int compute_capability,
                                                 const KernelCache& cache = KernelCache());

}  // namespace texelscope
