#pragma once
// One qualifier for functions that run on the host and on the device. Empty where the compiler is not nvcc.
#if defined(__CUDACC__)
#define TS_HD __host__ __device__ __forceinline__
#else
#define TS_HD inline
#endif

// Loops over taps must be unrolled on the GPU, or the weights live in local memory. The host compiler decides itself.
#if defined(__CUDA_ARCH__)
#define TS_UNROLL _Pragma("unroll")
#else
#define TS_UNROLL
#endif
