#pragma once
// Writes pictures of the window beside it, one after the other: views and sheets that are saved, views that are copied.

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "app/state/app_state.h"
#include "app/viewer/loop/background_runner.h"

namespace texelscope {

// Made when it is called, in the thread that writes it.
using MakePicture = std::function<std::shared_ptr<const Image>()>;

// Until the new file is complete, an old one of that name stays. If it cannot be written, the window that asked for it
// opens again.
BackgroundJob save_job(MakePicture make, const std::string& path);
BackgroundJob copy_job(MakePicture make);

class PictureSaver {
public:
    // `wake` is called in a thread of its own when something has been written.
    explicit PictureSaver(std::function<void()> wake = {}) : runner_(&Report::saving, std::move(wake)) {}

    // Writes whatever it was given before the program ends; what fails then is said on stderr.
    ~PictureSaver();

    void add(BackgroundJob job);
    void cancel() { runner_.cancel(); }  // what is being written
    bool works() const { return runner_.running() || !waiting_.empty(); }
    bool has_news() const { return runner_.has_news(); }

    // Once per frame: puts the progress into the report, says how it ended, begins with the next one.
    void follow(AppState& state);
    void wake(const AppState& state, WakeUp& wake_up) const { runner_.wake(state, wake_up); }

private:
    void begin_next();

    BackgroundRunner runner_;
    std::deque<BackgroundJob> waiting_;
};

}  // namespace texelscope
