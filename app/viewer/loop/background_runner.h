#pragma once
// Runs what the window has asked for beside it, one piece of work at a time, and reports its progress.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/app_state.h"
#include "app/state/wake_up.h"
#include "app/viewer/loop/background_run.h"
#include "app/window/gl/handles.h"

namespace texelscope {

struct BackgroundJob {
    std::string name, title;       // "rotation", "Repeated rotation"
    std::optional<Dialog> dialog;  // that shows its progress
    BackgroundRun::Work work;
    std::function<void(AppState&)> keep;  // the result, once the work has ended well. Throws Error

    // Instead of a message: why there is no result, one sentence.
    std::function<void(AppState&, Message::Level, const std::string&)> explain = {};
};

// A context must be current when it is used and destroyed.
class BackgroundRunner {
public:
    // Throws Error if something is already running.
    void start(BackgroundJob job, const BackendInfo& like);
    void cancel();
    bool running() const { return run_ != nullptr; }

    // Cancels what runs and waits for its end; if it has ended otherwise, the message says so.
    void give_up(AppState& state);

    // Once per frame: puts the progress into the report; keeps the result, or says why there is none.
    void follow(AppState& state);

    // Asks for the frame that is to show the progress.
    void wake(const AppState& state, WakeUp& wake_up) const;

private:
    void finish(AppState& state);

    double followed_ = 0;  // seconds
    BackgroundJob job_;
    std::unique_ptr<BackgroundRun> run_;
    std::shared_ptr<const Image> shown_;
    gl::Texture texture_;
};

}  // namespace texelscope
