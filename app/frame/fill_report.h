#pragma once
// The parts of the report that only the backend can tell.

#include "app/frame/frame_renderer.h"
#include "app/state.h"

namespace texelscope {

// Once, at the start.
void report_machine(Report& report, const Presenter& presenter);

// Each frame: the values under the cursor and the cost of the panes. Computes only what changed.
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
    std::optional<Question> asked_;
};

}  // namespace texelscope
