#pragma once
// Starts the experiments requested in the window, and keeps their results.

#include <memory>
#include <vector>

#include "app/state/app_state.h"
#include "app/studies/experiments/experiment.h"
#include "app/viewer/loop/background_runner.h"
#include "app/window/gl/handles.h"

namespace texelscope {

// A context must be current when it is used and destroyed.
class ExperimentRunner {
public:
    explicit ExperimentRunner(BackgroundRunner& background) : background_(background) {}

    // Throw Error for invalid options, if something is already running, and for a file that cannot be written.
    void start(const AppState& state, const BackendInfo& like);
    void save(AppState& state, const std::string& path) const;

    // Once per frame: the pictures of the chosen experiment, while the window is open.
    void show_pictures(AppState& state);

private:
    BackgroundRunner& background_;
    std::shared_ptr<const ExperimentResult> pictured_;
    std::vector<gl::Texture> pictures_;
};

}  // namespace texelscope
