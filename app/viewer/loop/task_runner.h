#pragma once
// Does what panels and actions asked for, between two frames.

#include <optional>

#include "app/picture/kept_pictures.h"
#include "app/viewer/loop/experiment_runner.h"
#include "app/picture/frame/frame_renderer.h"
#include "app/viewer/recording/recording.h"
#include "app/state/app_state.h"
#include "app/window/window.h"

namespace texelscope {

class RequestRunner {
public:
    RequestRunner(Window& window, FrameRenderer& renderer, Recording& recording)
        : window_(window), renderer_(renderer), recording_(recording) {}

    // Whatever goes wrong becomes a message. True where there was anything to do.
    bool run(AppState& state);

    // A piece of the work that takes longer than a frame. True where there was some, so that the next frame is due.
    bool work(AppState& state);

    // Looks whether the shown file or the lesson's changed; about once a second. True where it was read again, or could
    // not be.
    bool look_at_file(AppState& state);

    // The device is lost: what is under way on it ends, with a message.
    void give_up_device(AppState& state);

    bool quit() const { return quit_; }

    ExperimentRunner& experiments() { return experiments_; }
    const ExperimentRunner& experiments() const { return experiments_; }

private:
    template <class Step> bool attempt(AppState& state, Step step);
    void run(AppState& state, const Request& request);
    void open(AppState& state, const request::Open& request);
    void save_view(AppState& state, const request::SaveView& request);
    void save_sheet(AppState& state, const std::string& path);
    void work_on_sheet(AppState& state);
    void save_profile(AppState& state, const std::string& path);
    void save_session(AppState& state, const std::string& path);
    void open_session(AppState& state, const std::string& path);
    void copy_picture(AppState& state);
    void open_lesson(AppState& state, const request::OpenLesson& request);
    void show_step(AppState& state, int step);
    void leave_lesson(AppState& state);
    void read_lesson_again(AppState& state);
    bool look_at_lesson(AppState& state);

    Window& window_;
    FrameRenderer& renderer_;
    ExperimentRunner experiments_;
    Recording& recording_;
    FileStamp lesson_loaded_, lesson_seen_;  // of a lesson from a file, as of a document
    bool quit_ = false;

    struct Sheet {
        SheetMaker maker;
        std::string path;
    };
    std::optional<Sheet> sheet_;  // under way
};

}  // namespace texelscope
