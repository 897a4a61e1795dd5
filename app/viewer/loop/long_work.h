#pragma once
// Pictures that take long: a CPU renders them in the frame, so the frame before says that it computes.

#include "app/picture/frame/frame_plan.h"

namespace texelscope {

class LongWork {
public:
    // `references_beside`: those in float64 that take long are not computed in the frame (see ReferenceValues).
    explicit LongWork(bool references_beside = false) : references_beside_(references_beside) {}

    // Whether the plan will keep the window waiting, and shows something else than the last one: a motion follows the
    // mouse as well as it can, and says nothing.
    bool expects(const FramePlan& plan) const;

    // The plan was rendered, in so much time.
    void took(const FramePlan& plan, double ms);

    static constexpr double long_ms = 300;

private:
    double fetches(const FramePlan& plan) const;

    bool references_beside_;
    double ms_per_fetch_ = 0;  // of the last plan; 0: there was none
    FramePlan last_;
};

}  // namespace texelscope
