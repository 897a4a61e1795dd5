#pragma once
// Runs the experiments that the window asks for, one at a time, and keeps what they found.

#include <memory>
#include <vector>

#include "app/studies/experiments/experiment_run.h"
#include "app/window/gl/handles.h"
#include "app/state/app_state.h"

namespace texelscope {

// A context must be current where it is used and destroyed.
class ExperimentRunner {
public:
    // Throw Error for options that cannot be, where one is under way already, and for a file that cannot be written.
    void start(const AppState& state, const BackendInfo& like);
    void cancel();

    // Cancels the one under way and waits for its end; where it has ended with something else, that is the message.
    void give_up(AppState& state);
    void save(AppState& state) const;

    // Once a frame: takes what the one under way has to tell into the report; its end is a message.
    void follow(AppState& state);

    // Seconds until there is something to follow; below 0 where nothing is under way.
    double patience(const AppState& state) const;

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
