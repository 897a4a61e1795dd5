#pragma once
// The parts of the report that only the backend can tell.

#include <array>
#include <optional>

#include "app/frame/frame_renderer.h"
#include "app/state.h"

namespace texelscope {

// Once, at the start.
void report_machine(Report& report, const Presenter& presenter);

// Each frame: the values at the cursor and the cost of every pane. Computes only what changed.
class ReportFiller {
public:
    void fill(AppState& state, FrameRenderer& renderer);

private:
    struct Question {
        std::shared_ptr<const Image> image;
        Light light = Light::stored;
        RenderRequest request;  // of the few pixels around the cursor
        bool operator==(const Question&) const = default;
    };
    void read_panes(AppState& state, FrameRenderer& renderer);

    std::array<std::optional<Question>, max_panes> asked_;
    Scratch memory_;
};

}  // namespace texelscope
