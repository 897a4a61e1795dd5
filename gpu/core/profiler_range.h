#pragma once
// A named range of time of the calling thread, for profilers that understand NVTX (Nsight Systems: rows of the GPU's
// kernels and of the CPU's loops). Without a profiler it is two calls of a function that returns at once; in builds
// without CUDA it is nothing.

#include "gpu/core/work_names.h"

namespace texelscope {

class ProfilerRange {
public:
#if TEXELSCOPE_WITH_CUDA
    explicit ProfilerRange(const WorkName& work);
    ~ProfilerRange();
#else
    explicit ProfilerRange(const WorkName&) {}
    ~ProfilerRange() {}
#endif
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace texelscope
