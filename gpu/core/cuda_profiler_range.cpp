#include "gpu/core/timing.h"

#if __has_include(<nvtx3/nvToolsExt.h>)

#include <nvtx3/nvToolsExt.h>

namespace texelscope {

ProfilerRange::ProfilerRange(const WorkName& work) { nvtxRangePushA(work.name); }
ProfilerRange::~ProfilerRange() { nvtxRangePop(); }

}  // namespace texelscope

#else  // a toolkit without its profiling headers

namespace texelscope {

ProfilerRange::ProfilerRange(const WorkName&) {}
ProfilerRange::~ProfilerRange() = default;

}  // namespace texelscope

#endif
