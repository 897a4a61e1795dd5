#pragma once
// Work in its own thread, on its own backend, so that the window keeps running.

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "app/studies/experiments/experiment.h"

namespace texelscope {

class BackgroundRun {
public:
    // Runs in the thread of its own. Throws to end itself.
    using Work = std::function<void(const std::shared_ptr<Backend>& backend, ExperimentProgress& progress)>;

    // On a backend of the same kind and device as the given one. `wake` is called in the thread, at its end.
    BackgroundRun(Work work, const BackendInfo& like, std::function<void()> wake = {});
    ~BackgroundRun();  // cancels it and waits for the end of the step under way
    BackgroundRun(const BackgroundRun&) = delete;
    BackgroundRun& operator=(const BackgroundRun&) = delete;

    struct Now {
        int done = 0, total = 1;
        std::string words;
        std::shared_ptr<const Image> picture;  // the latest; null before the first
    };
    Now now() const;

    void cancel() { stop_.request_stop(); }  // its loops, too

    // Cancels it. True if it then ends with Cancelled for certain: its last part has not been reported.
    bool cancel_for_certain();
    bool ended() const { return ended_; }
    void wait();  // for the end

    // After its end. Throws the exception that ended it: Cancelled, OutOfMemory, Error, std::bad_alloc or whatever the
    // work throws.
    void check() const;

private:
    class Reporter;
    void run(const Work& work, const BackendInfo& like);

    mutable std::mutex mutex_;
    Now now_;
    std::exception_ptr failure_;
    std::stop_source stop_;
    std::atomic<bool> ended_ = false;
    std::function<void()> wake_;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace texelscope
