#pragma once
// Writes pictures of the window beside it, one after the other: views and sheets that are saved, views that are copied.

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "app/picture/kept_pictures.h"
#include "app/state/app_state.h"
#include "app/viewer/loop/background_runner.h"

namespace texelscope {

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

}  // namespace texelscope
