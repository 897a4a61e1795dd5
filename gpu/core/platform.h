#pragma once
// One qualifier for functions that run on the host and on the device. Empty for compilers other than nvcc.
#if defined(__CUDACC__)
#define TS_HD __host__ __device__ __forceinline__
#elif defined(TEXELSCOPE_FORCE_INLINE)  // where GCC gives up, at many loops in one file
#define TS_HD inline __attribute__((always_inline))
#else
#define TS_HD inline
#endif

// For long, rarely needed code: one copy per file instead of one per use.
#if defined(__CUDACC__)
#define TS_HD_RARE __host__ __device__ __noinline__ static
#else
#define TS_HD_RARE inline
#endif

// Loops over taps must be unrolled on the GPU, or the weights are put in local memory. The host compiler decides
// itself. TS_UNROLL_BY takes the name of a constant, for loops whose full unrolling would make too much code.
#if defined(__CUDA_ARCH__)
#define TS_PRAGMA(text) _Pragma(#text)
#define TS_UNROLL _Pragma("unroll")
#define TS_UNROLL_BY(count) TS_PRAGMA(unroll count)
#else
#define TS_UNROLL
#define TS_UNROLL_BY(count)
#endif
