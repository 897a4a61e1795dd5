#pragma once
// Kernels as code: compiled, and found again.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/kernels/kernel_program.h"

namespace texelscope {

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
