// The vector code for AVX2, FMA and F16C; compiled with their flags, if the compiler has them.

#include "gpu/method/simd/kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "gpu/method/simd/vectors_avx2.h"

#include "gpu/method/simd/table.h"

namespace texelscope::simd {

static constexpr Kernels table = table_of("AVX2");
extern const Kernels* const avx2_kernels = &table;

}  // namespace texelscope::simd

#else

namespace texelscope::simd {
extern const Kernels* const avx2_kernels = nullptr;
}

#endif
