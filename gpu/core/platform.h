#pragma once
// One qualifier for functions that run on the host and on the device. Empty where the compiler is not nvcc.
#if defined(__CUDACC__)
#define TS_HD __host__ __device__ __forceinline__
#else
#define TS_HD inline
#endif
