#pragma once
// An experiment under way: in its own thread, on its own backend, so that the window keeps running.

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/studies/experiments/experiment.h"

namespace texelscope {

class ExperimentRun {
public:
    // On a backend of the same kind and device as the given one. The experiment outlives the run.
    ExperimentRun(const Experiment& experiment, ExperimentOptions options, const BackendInfo& like);
    ~ExperimentRun();  // cancels it and waits for the end of the step under way
    ExperimentRun(const ExperimentRun&) = delete;
    ExperimentRun& operator=(const ExperimentRun&) = delete;

    struct Now {
        int done = 0, total = 1;
        std::string words;
        std::shared_ptr<const Image> picture;  // the latest; null before the first
    };
    Now now() const;

    void cancel() { cancelled_ = true; }
    bool ended() const { return ended_; }
    void wait();  // for the end

    // Once, after its end. Throws the exception that ended it: Cancelled, OutOfMemory, Error or std::bad_alloc.
    ExperimentResult take_result();

private:
    class Reporter;
    void run(const Experiment& experiment, const ExperimentOptions& options, const BackendInfo& like);

    mutable std::mutex mutex_;
    Now now_;
    ExperimentResult result_;
    std::exception_ptr failure_;
    std::atomic<bool> cancelled_ = false, ended_ = false;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace texelscope
