#pragma once
// Frames that take long: how many there are in a second, which are drafts, and which say beforehand that they compute.

#include <deque>
#include <set>
#include <string>

#include "app/picture/pane_picture.h"
#include "app/state/app_state.h"
#include "app/state/wake_up.h"

namespace texelscope {

// Times of frames: frames per second while something moves.
class FrameClock {
public:
    void rendered(double now) {
        times_.push_back(now);
        forget(now);
    }

    // Over the last second; 0 if hardly anything was rendered in it.
    double per_second(double now) {
        forget(now);
        if (times_.size() < 3 || times_.back() <= times_.front()) return 0;
        return double(times_.size() - 1) / (times_.back() - times_.front());
    }

private:
    void forget(double now) {
        while (!times_.empty() && times_.front() < now - 1) times_.pop_front();
    }
    std::deque<double> times_;
};

// Drafts: if a CPU is too slow to antialias each frame, a moving picture is not antialiased.

// Decides whether the frame at `state.now` is a draft. Call once per frame, when its view is known.
void update_draft(AppState& state);

// Asks for the frame that replaces the draft.
void wake_for_draft(const AppState& state, WakeUp& wake_up);

// Pictures that take long: a CPU renders them in the frame, so the frame before says that it computes.
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

// A step of a lesson that tells times ({time}) tells medians: its picture is rendered several times, not once.
class RepeatedTimes {
public:
    static constexpr size_t most = 9;
    static constexpr double most_ms = 2000;  // all renderings of a pane together

    // After each frame: keeps the times of what was rendered, and says whether the same is to be rendered again.
    bool wants_more(AppState& state, const FramePlan& plan, bool rendered);

private:
    FramePlan timed_;
};

// Kernels that the GPU driver compiles when a method is first used: no frame is drawn meanwhile, so the previous one
// says why.
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
