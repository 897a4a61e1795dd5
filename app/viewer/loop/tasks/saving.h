#pragma once
// Saving and copying what is shown: the tasks, the end of the program, which waits for them, and the pictures written
// beside the window.

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/picture/frame/frame_renderer.h"
#include "app/picture/kept_pictures.h"
#include "app/state/app_state.h"
#include "app/viewer/loop/background_runner.h"
#include "app/viewer/recording/recording.h"
#include "app/window/window.h"

namespace texelscope {

// Writes pictures of the window beside it, one after the other: views and sheets that are saved, views that are copied.

class PictureSaver {
public:
    // `wake` is called in a thread of its own when something has been written.
    explicit PictureSaver(std::function<void()> wake = {}) : runner_(&Report::saving, std::move(wake)) {}

    // Writes whatever it was given before the program ends; what fails then is said on stderr.
    ~PictureSaver();
    PictureSaver(const PictureSaver&) = delete;
    PictureSaver& operator=(const PictureSaver&) = delete;

    // Until the new file is complete, an old one of that name stays. If it cannot be written, the window that asked for it
    // opens again.
    void save(const PictureBeside& picture, const std::string& path);
    void copy(const PictureBeside& picture);

    // Ends what a GPU makes, and says that there is none of it: `why`.
    void give_up_device(AppState& state, const std::string& why);

    void cancel() { runner_.cancel(); }  // what is being written
    void cancel_all();                   // and what is to be written after it
    bool works() const { return runner_.running() || !waiting_.empty(); }
    bool has_news() const { return runner_.has_news(); }

    // Whether, since the last call, something could not be written; what was cancelled does not count.
    bool take_failure() { return std::exchange(failed_, false); }

    // Once per frame: puts the progress into the report, says how it ended, begins with the next one.
    void follow(AppState& state);
    void wake(const AppState& state, WakeUp& wake_up) const { runner_.wake(state, wake_up); }

private:
    struct Wanted {
        BackgroundJob job;
        BackendInfo device;
        std::string not_done;  // "a.png was not saved"
        bool on_gpu() const { return device.kind != BackendKind::cpu; }
    };
    void add(Wanted wanted);
    void begin_next();

    BackgroundRunner runner_;
    Wanted now_;  // under way
    std::deque<Wanted> waiting_;
    bool failed_ = false;
};

// Writes the whole image at any size by the active pane's method, as `texelscope resize` does.

// As chosen in the dialog. Until the new file is complete, an old one of that name stays. Throws Error without a picture,
// UsageError for a name or a depth that no format has.
BackgroundJob export_job(const Scene& scene, const ExportUi& exporting, const std::string& path);

// Tasks that save or copy what is shown, and the end of the program, which waits for them.

class SavingTasks {
public:
    SavingTasks(FrameRenderer& renderer, BackgroundRunner& background, Recording& recording)
        : renderer_(renderer), background_(background), recording_(recording) {}

    void run(AppState& state, const task::SaveView& request);
    void run(AppState& state, const task::SaveSheet& request);
    void run(AppState& state, const task::SaveProfile& request);
    void run(AppState& state, const task::SaveCurves& request);
    void run(AppState& state, const task::SaveMethod& request);
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
