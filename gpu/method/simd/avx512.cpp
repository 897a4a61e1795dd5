// The vector code for AVX-512; compiled with its flags, if the compiler has them.

#include "gpu/method/simd/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

#include "gpu/method/simd/vectors_avx512.h"

#include "gpu/method/simd/table.h"

namespace texelscope::simd {

static constexpr Kernels table = table_of("AVX-512");
extern const Kernels* const avx512_kernels = &table;

}  // namespace texelscope::simd

#else

namespace texelscope::simd {
extern const Kernels* const avx512_kernels = nullptr;
}

#endif
