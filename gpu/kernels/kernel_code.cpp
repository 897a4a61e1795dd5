#include "gpu/kernels/kernel_code.h"

#include <fmt/format.h>

#include "gpu/kernels/nvrtc.h"

namespace texelscope {

std::shared_ptr<const KernelCode> compile_kernel(const KernelFile& file, int compute_capability,
                                                 const KernelCache& cache) {
    const Nvrtc& compiler = nvrtc();
    const int target = compute_capability > 0 ? compute_capability : compiler.oldest();
    const std::string program = kernel_program(file);
    const std::string key = fmt::format("NVRTC {} for {}\n{}", compiler.version(), target, program);
    auto code = std::make_shared<KernelCode>();
    if (auto kept = cache.find(key)) {
        code->bytes = std::move(*kept);
        code->was_kept = true;
        return code;
    }
    CompiledProgram compiled = compiler.compile(program, target);
    if (compiled.code.empty()) throw KernelError(problems_of_log(compiled.log));
    code->bytes = std::move(compiled.code);
    cache.keep(key, code->bytes);
    return code;
}

}  // namespace texelscope
