// The vector code for any processor that the program is compiled for.

#include "gpu/method/simd/vectors_baseline.h"

#include "gpu/method/simd/table.h"

namespace texelscope::simd {
namespace {

#if defined(__SSE2__)
constexpr Kernels table = table_of("SSE2");
#else
constexpr Kernels table = table_of("vectors of four");
#endif

}  // namespace

extern const Kernels* const baseline_kernels = &table;

}  // namespace texelscope::simd
