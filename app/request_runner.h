#pragma once
// Does what panels and actions asked for, between two frames.

#include <optional>

#include "app/compare/comparison.h"
#include "app/experiment_runner.h"
#include "app/frame/frame_renderer.h"
#include "app/state.h"
#include "app/window.h"

namespace texelscope {

class RequestRunner {
public:
    RequestRunner(Window& window, FrameRenderer& renderer) : window_(window), renderer_(renderer) {}

    // Whatever goes wrong becomes a message. True where there was anything to do.
    bool run(AppState& state);

    // A piece of the work that takes longer than a frame. True where there was some, so that the next frame is due.
    bool work(AppState& state);

    // Looks whether the shown file changed; about once a second. True where it was read again, or could not be.
    bool look_at_file(AppState& state);

    bool quit() const { return quit_; }

    ExperimentRunner& experiments() { return experiments_; }
    const ExperimentRunner& experiments() const { return experiments_; }

private:
    void run(AppState& state, const Request& request);
    void open(AppState& state, const request::Open& request);
    void save_view(AppState& state, const request::SaveView& request);
    void save_sheet(AppState& state, const std::string& path);
    void work_on_sheet(AppState& state);
    void save_profile(AppState& state, const std::string& path);
    void save_session(AppState& state, const std::string& path);
    void open_session(AppState& state, const std::string& path);
    void copy_picture(AppState& state);

    Window& window_;
    FrameRenderer& renderer_;
    ExperimentRunner experiments_;
    bool quit_ = false;

    struct Sheet {
        SheetMaker maker;
        std::string path;
    };
    std::optional<Sheet> sheet_;  // under way
};

}  // namespace texelscope
