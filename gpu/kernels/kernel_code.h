#pragma once
// From the text of a kernel to code that a GPU runs.

#include <memory>
#include <string>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/kernels/kernel_cache.h"
#include "gpu/kernels/kernel_program.h"

namespace texelscope {

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
