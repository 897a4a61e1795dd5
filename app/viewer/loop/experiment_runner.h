#pragma once
// Runs the experiments requested in the window, one at a time, and keeps their results.

#include <memory>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/wake_up.h"
#include "app/studies/experiments/experiment_run.h"
#include "app/window/gl/handles.h"

namespace texelscope {

// A context must be current when it is used and destroyed.
class ExperimentRunner {
public:
    // Throw Error for invalid options, if one is already running, and for a file that cannot be written.
    void start(const AppState& state, const BackendInfo& like);
    void cancel();

    // Cancels the running one and waits for its end; if it has ended otherwise, the message says so.
    void give_up(AppState& state);
    void save(AppState& state, const std::string& path) const;

    // Once per frame: puts the progress of the running one into the report; its end is a message.
    void follow(AppState& state);

    // Asks for the frame that is to show its progress.
    void wake(const AppState& state, WakeUp& wake_up) const;

private:
    struct Shown {
        std::shared_ptr<const Image> image;
        gl::Texture texture;
    };
    static ExperimentTexture shown(Shown& slot, const std::shared_ptr<const Image>& image);
    void finish(AppState& state);
    void show_pictures(AppState& state);

    double followed_ = 0;  // seconds
    const Experiment* experiment_ = nullptr;
    std::unique_ptr<ExperimentRun> run_;
    Shown live_;
    std::shared_ptr<const ExperimentResult> pictured_;
    std::vector<gl::Texture> pictures_;
};

}  // namespace texelscope
