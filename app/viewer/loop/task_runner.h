#pragma once
// Carries out the tasks of panels and actions, between two frames.

#include <memory>
#include <optional>

#include "app/picture/frame/frame_renderer.h"
#include "app/picture/kept_pictures.h"
#include "app/state/app_state.h"
#include "app/viewer/loop/background_runner.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/experiment_runner.h"
#include "app/viewer/loop/file_facts.h"
#include "app/viewer/loop/folder_walker.h"
#include "app/viewer/loop/restoring_runner.h"
#include "app/viewer/pushing/push_server.h"
#include "app/viewer/recording/recording.h"
#include "app/window/window.h"

namespace texelscope {

class TaskRunner {
public:
    TaskRunner(Window& window, FrameRenderer& renderer, Recording& recording)
        : window_(window), renderer_(renderer), recording_(recording) {}

    // Errors become messages. True if there was anything to do.
    bool run(AppState& state);

    // Does a piece of the work that takes longer than a frame. True if there was some, so that the next frame is due.
    bool work(AppState& state);

    // Checks whether the current file or the lesson's has changed; about once per second. True if it was reloaded, or
    // could not be.
    bool look_at_file(AppState& state);

    // Once per frame: when the list of lessons is opened, reads the user's own.
    void follow_list(AppState& state);

    // The device is lost: ends the work in progress on it, with a message that says why.
    void give_up_device(AppState& state, const std::string& why);

    // From now on other programs can push images and open files (docs/pushing.md); they wake the window. Nothing if this
    // is impossible here: `texelscope info` says why.
    void listen();
    bool has_pushed() const { return pushes_ && pushes_->has_news(); }

    bool quit() const { return quit_; }

    // Once per frame, before the panels, which show its textures: progress and results of what runs beside the window.
    void follow_background(AppState& state);
    void wake(const AppState& state, WakeUp& wake_up) const {
        background_.wake(state, wake_up);
        walker_.wake(wake_up);
        facts_.wake(wake_up);
    }

    // Once per turn of the loop: the shown file's folder, and steps through it. True if the state has changed.
    bool follow_folder(AppState& state);
    // Likewise: what the shown file says of itself.
    bool follow_facts(AppState& state) { return facts_.follow(state); }

private:
    AcceptImage accept_for(const Scene& scene);  // into the backend's memory, in the light that the scene asks for then
    template <class Step> bool attempt(AppState& state, const std::string& source, Step step);
    void run(AppState& state, const Task& task);
    void open(AppState& state, const task::Open& request);
    FolderWalker::Show show_walked();
    void choose_picture(AppState& state, const PictureChoice& choice);
    void set_upright(AppState& state, bool upright);
    void move_to_trash(AppState& state);
    void take_from_trash(AppState& state, const std::string& original);
    bool take_pushed(AppState& state);
    void save_view(AppState& state, const task::SaveView& request);
    void save_sheet(AppState& state, const std::string& path);
    void work_on_sheet(AppState& state);
    void save_profile(AppState& state, const std::string& path);
    void save_session(AppState& state, const std::string& path);
    void open_session(AppState& state, const std::string& path);
    void copy_picture(AppState& state);
    void open_lesson(AppState& state, const task::OpenLesson& request);
    void show_step(AppState& state, int step);
    void leave_lesson(AppState& state);
    void read_lesson_again(AppState& state);
    bool look_at_lesson(AppState& state);
    void show_progress(AppState& state);

    Window& window_;
    FrameRenderer& renderer_;
    BackgroundRunner background_;
    ExperimentRunner experiments_{background_};
    RestoringRunner restoring_{background_};
    FolderWalker walker_;
    FileFacts facts_;
    Recording& recording_;
    std::unique_ptr<PushServer> pushes_;
    bool bar_ = false;                       // shows the progress of what runs beside the window
    bool listed_ = false;                    // the list of lessons was open
    FileStamp lesson_loaded_, lesson_seen_;  // of a lesson from a file, like that of a document
    bool quit_ = false;

    struct Sheet {
        SheetMaker maker;
        std::string path;
    };
    std::optional<Sheet> sheet_;  // in progress
};

}  // namespace texelscope
