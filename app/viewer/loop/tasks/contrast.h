#pragma once
// The search for levels in what the active pane shows.

#include <optional>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"

namespace texelscope {

class ContrastTasks {
public:
    explicit ContrastTasks(FrameRenderer& renderer) : renderer_(renderer) {}

    void run(AppState& state, const task::AutoContrast& task);

    // Once per frame. True if levels have been found, or cannot be.
    bool follow(AppState& state);

private:
    // Waits for samples; it is dropped when the picture changes, unless it is for the levels that an image opens with.
    struct Search {
        Rendition of;
        std::optional<MeasureJob::Selection> selection;
        task::AutoContrast wanted;
    };
    FrameRenderer& renderer_;
    std::optional<Search> search_;
};

}  // namespace texelscope
