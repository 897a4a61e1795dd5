#pragma once
// Starts the experiments requested in the window, and keeps their results.

#include <memory>
#include <vector>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"
#include "app/studies/experiments/experiment.h"
#include "app/viewer/loop/background_runner.h"
#include "app/window/gl/handles.h"

namespace texelscope {

// A context must be current when it is used and destroyed.
class ExperimentRunner {
public:
    ExperimentRunner(FrameRenderer& renderer, BackgroundRunner& background)
        : renderer_(renderer), background_(background) {}

    // Throw Error for invalid options, if something is already running, and for a file that cannot be written.
    void run(const AppState& state, const task::RunExperiment& task);
    void run(AppState& state, const task::SaveExperiment& task) const;

    // Once per frame: the pictures of the chosen experiment, while the window is open.
    void show_pictures(AppState& state);

private:
    FrameRenderer& renderer_;
    BackgroundRunner& background_;
    std::shared_ptr<const ExperimentResult> pictured_;
    std::vector<gl::Texture> pictures_;
};

}  // namespace texelscope
