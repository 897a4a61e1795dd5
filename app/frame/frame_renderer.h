#pragma once
// The frame pipeline: prefilter → acquire the pixel buffer → a rendering per pane → release → draw.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/rendition.h"
#include "app/frame/picture_drawer.h"
#include "app/frame/plan.h"
#include "app/frame/source_cache.h"
#include "gpu/core/stop_watch.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

class FrameRenderer {
public:
    // The pictures reach the screen by the given route, or as PictureDrawer chooses.
    explicit FrameRenderer(Presenter presenter, std::optional<PictureRoute> route = {});

    // Renders what the plan asks for, unless the buffer holds just that. The text of an Error where it could not: then
    // the last good picture stays, and the same plan is not tried again; where memory was missing, not for a second.
    std::optional<std::string> update(const FramePlan& plan);

    // The next update renders anew, whatever the buffer holds: the first rendering of all also loads code.
    void forget() { in_buffer_ = {}; }

    // Draws what the buffer holds, where and how the plan says.
    void draw(const FramePlan& plan, int framebuffer_height);

    // True where the last update rendered anything.
    bool rendered() const { return rendered_; }

    // Stages of the last rendered frame, and what the host spent in the last update and draw; plan, gui, total and
    // latency are the caller's.
    StageTimings timings();

    // Milliseconds of the pane's last finished rendering, on the backend's clock; 0 before the first.
    double pane_ms(int pane);

    PictureRoute route() const { return drawer_.route(); }

    SourceCache& sources() { return sources_; }
    PaneRenderer& panes() { return panes_; }
    Backend& backend() { return *presenter_.backend; }
    const Presenter& presenter() const { return presenter_; }

private:
    void prepare(const FramePlan& plan);
    void render(const FramePlan& plan);
    void render(const PlannedPicture& item, std::byte* pixels);
    void draw_buffer(const FramePlan& plan, int framebuffer_height);

    // A picture that seldom changes while the others do, to be copied into each frame: the minimap.
    struct Kept {
        std::optional<PanePicture> picture;
        Scratch pixels;
    };

    Presenter presenter_;
    SourceCache sources_;
    PaneRenderer panes_;
    PictureDrawer drawer_;
    FramePlan in_buffer_;  // what the buffer holds; no pictures: nothing of use
    FramePlan last_good_;  // the last plan that went well
    FramePlan failed_;     // what could not be rendered
    std::optional<StopWatch> no_memory_since_;  // where that was for want of memory
    static constexpr double ask_again_ms = 1000;
    Kept minimap_;
    bool rendered_ = false;
    std::vector<int> timers_;  // of what was rendered for the buffer
    StageTimings timings_;
};

}  // namespace texelscope
