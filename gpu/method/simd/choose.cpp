// The choice of the vector code that runs here.

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "gpu/core/errors.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope::simd {

// Null if the compiler does not know the instructions.
extern const Kernels* const baseline_kernels;
extern const Kernels* const avx2_kernels;
extern const Kernels* const avx512_kernels;

namespace {

#if defined(__x86_64__)
// Some compilers' __builtin_cpu_supports does not know this name.
bool has_f16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

bool runs(Instructions instructions) {
    if (instructions == Instructions::baseline) return true;
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    if (instructions == Instructions::avx2) return avx2;
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

const Kernels* compiled(Instructions instructions) {
    switch (instructions) {
        case Instructions::baseline: return baseline_kernels;
        case Instructions::avx2: return avx2_kernels;
        case Instructions::avx512: return avx512_kernels;
    }
    return nullptr;
}

}  // namespace

Instructions best_instructions() {
    for (const Instructions instructions : {Instructions::avx512, Instructions::avx2})
        if (runs(instructions) && compiled(instructions)) return instructions;
    return Instructions::baseline;
}

const Kernels& kernels(Instructions instructions) {
    const Kernels* found = runs(instructions) ? compiled(instructions) : nullptr;
    if (!found) throw Error("this processor, or this build, does not have the vector instructions that were requested");
    return *found;
}

}  // namespace texelscope::simd
