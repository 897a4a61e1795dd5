#pragma once
// Kernels that the GPU driver compiles when a method is first used: no frame is drawn meanwhile, so the previous one
// says why.

#include <set>
#include <string>

#include "app/picture/frame/frame_plan.h"

namespace texelscope {

class FirstUse {
public:
    // For a backend whose kernels the driver compiles, or one that already has them.
    void begin(bool compiled_by_driver);

    // A sentence on the kernels to compile for the plan; empty if nothing is new. The plan's methods count as
    // used from then on.
    std::string announce(const FramePlan& plan);

private:
    bool compiled_by_driver_ = false;
    std::set<const MethodInfo*> used_;
};

}  // namespace texelscope
