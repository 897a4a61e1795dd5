#pragma once
// Tasks that save or copy what is shown, and the end of the program, which waits for them.

#include <optional>
#include <string>

#include "app/picture/frame/frame_renderer.h"
#include "app/picture/kept_pictures.h"
#include "app/viewer/loop/background_runner.h"
#include "app/viewer/loop/picture_saver.h"
#include "app/viewer/recording/recording.h"
#include "app/window/window.h"

namespace texelscope {

class SavingTasks {
public:
    SavingTasks(FrameRenderer& renderer, BackgroundRunner& background, Recording& recording)
        : renderer_(renderer), background_(background), recording_(recording) {}

    void run(AppState& state, const task::SaveView& request);
    void run(AppState& state, const task::SaveSheet& request);
    void run(AppState& state, const task::SaveProfile& request);
    void run(AppState& state, const task::SaveCurves& request);
    void run(AppState& state, const task::SaveSession& request);
    void run(AppState& state, const task::CopyPicture& request);
    void run(AppState& state, const task::Export& request);
    void run(AppState& /*state*/, const task::CancelBackground&) { background_.cancel(); }
    void run(AppState& /*state*/, const task::Quit& quit) { (quit.sure ? sure_ : quit_) = true; }

    // Does a piece of the work that takes longer than a frame. True if there was some, so that the next frame is due.
    bool work(AppState& state);

    // Once per frame: progress and results.
    void follow(AppState& state);
    bool has_news() const { return saver_.has_news(); }
    bool writes() const { return saver_.works(); }
    void wake(const AppState& state, WakeUp& wake_up) const { saver_.wake(state, wake_up); }

    // Whether the program may end: the user, or now anyone else (`asked`), wants that, and nothing is being saved,
    // exported or recorded. Until then the window stays, and says so; who asks again cancels what is being saved. What
    // else runs would be lost: the user is asked first, in a window that is seen, unless that is what asking again means.
    bool ends(AppState& state, bool asked, bool seen = true);
    bool closing() const { return closing_; }
    bool exports() const { return background_.running() && !background_.dialog(); }

    void give_up_device(AppState& state, const std::string& why);

private:
    void work_on_sheet(AppState& state);
    bool saves() const { return sheet_ || saver_.works() || exports() || recording_.active(); }
    bool asks_first(AppState& state) const;
    bool stays(AppState& state);
    void cancel_saving();
    std::string said_of(const std::string& work) const;
    void show_progress(AppState& state);

    FrameRenderer& renderer_;
    BackgroundRunner& background_;
    Recording& recording_;
    PictureSaver saver_{Window::wake};
    bool bar_ = false;                  // shows the progress of what runs in the background
    bool quit_ = false, sure_ = false;  // asked for; in answer to the question
    bool closing_ = false;              // once what is being saved is written
    bool export_failed_ = false;

    struct Sheet {
        SheetMaker maker;
        std::string path;
    };
    std::optional<Sheet> sheet_;  // in progress
};

}  // namespace texelscope
