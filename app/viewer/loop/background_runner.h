#pragma once
// Runs what the window has asked for beside it, one piece of work at a time, and reports its progress.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/app_state.h"
#include "app/studies/experiments/experiment.h"
#include "app/window/gl/gl_objects.h"
#include "app/work/work.h"

namespace texelscope {

struct BackgroundJob {
    // In a thread of its own, on a backend of its own. Throws to end itself.
    using Work = std::function<void(const std::shared_ptr<Backend>& backend, ExperimentProgress& progress)>;

    std::string name, title;       // "rotation", "Repeated rotation"
    std::optional<Dialog> dialog;  // that shows its progress
    Work work;
    std::function<void(AppState&)> keep;  // the result, once the work has ended well. Throws Error

    // Whether it reports its last part (done == total) before it changes anything that is kept. If so, cancelling does not
    // wait for the end of the step under way, after which the thread ends.
    bool reports_its_end = false;

    // Seconds until its progress shows: what is quick would only make it flicker.
    double quiet = 0;

    // Instead of a message: why there is no result, one sentence.
    std::function<void(AppState&, Message::Level, const std::string&)> explain = {};
};

// A context must be current when it is used and destroyed.
class BackgroundRunner {
public:
    // Reports there. `wake` is called in a thread of its own when the work has ended; unset: the window looks from time to
    // time.
    explicit BackgroundRunner(BackgroundReport Report::*report = &Report::background, std::function<void()> wake = {})
        : report_(report), run_(std::move(wake)) {}

    // On a backend of the same kind and device as `like`. Throws Error if something is already running.
    void start(BackgroundJob job, const BackendInfo& like);
    void cancel();
    bool running() const { return run_.question() != nullptr; }
    // The dialog that what runs belongs to; none also if nothing runs.
    std::optional<Dialog> dialog() const { return running() ? job_.dialog : std::nullopt; }
    bool has_news() const { return run_.has_news(); }

    // Waits for the end of what runs; nobody keeps the result. Throws what the work has thrown.
    void complete();

    // Waits for the ends of what was cancelled.
    void end_cancelled() { run_.end_dropped(); }

    // Cancels what runs, and waits for its end and the ends of what was cancelled before. `why`, a sentence, says why
    // there is no result, unless the work has ended otherwise.
    void give_up(AppState& state, const std::string& why);

    // Once per frame: puts the progress into the report; keeps the result, or says why there is none.
    void follow(AppState& state);

    // Asks for the frame that is to show the progress.
    void wake(const AppState& state, WakeUp& wake_up) const;

private:
    struct Progress;
    struct Question {
        BackgroundJob::Work work;
        BackendInfo like;
        std::shared_ptr<Progress> progress;
    };
    struct Done {};
    using Run = BackgroundWork<Question, Done>;
    static Done work_on(const Question& question, const std::stop_token& stop);
    bool stop_for_certain();
    bool leave(AppState& state);

    // `why`: it was given up.
    void finish(AppState& state, const Run::Result& result, const std::optional<std::string>& why = {});
    BackgroundJob end_job(AppState& state);

    BackgroundReport Report::*report_;
    std::optional<double> followed_;  // seconds; unset: not since it began
    bool cancelled_ = false;
    BackgroundJob job_;
    std::shared_ptr<const Image> shown_;
    gl::Texture texture_;
    Run run_;
};

// Compiles what is typed into the editor of kernels, in the background.

class KernelCompiler : public Worker {
public:
    explicit KernelCompiler(std::function<void()> wake) : work_(std::move(wake)) {}

    // Begins once typing rests, and takes what has come of it. True if that is new.
    bool poll(AppState& state) override;
    void wake(const AppState& state, WakeUp& wake_up) const override;

private:
    struct Question {
        std::string text;
        int compute_capability = 0;
    };
    struct Answer {
        const MethodInfo* method = nullptr;
        std::string said;
    };

    bool take(AppState& state);
    BackgroundWork<Question, Answer> work_;
};

}  // namespace texelscope
