#include "app/viewer/loop/background_runner.h"

#include <mutex>
#include <new>

#include <fmt/format.h>

#include "app/viewer/editing/method_edits.h"
#include "app/viewer/loop/thumbnails.h"
#include "gpu/backend/device_choice.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {
namespace {

constexpr double follow_every = 0.2, end_every = 0.03;  // seconds: at progress, and at a cancelled run's end

void explain(AppState& state, const BackgroundJob& job, Message::Level level, const std::string& why) {
    if (job.explain) job.explain(state, level, why);
    else post(state.messages, level, fmt::format("{}: {}", job.title, why));
}

}  // namespace

// What the work reports in its thread, and the window reads.
struct BackgroundRunner::Progress : ExperimentProgress {
    struct Now {
        int done = 0, total = 1;
        std::string words;
        std::shared_ptr<const Image> picture;  // the latest; null before the first
    };
    mutable std::mutex mutex;
    Now now;
    std::stop_token stop;  // of the thread

    void step(int done, int total, const std::string& words, const Image* picture) override {
        const std::shared_ptr<const Image> copy = picture ? std::make_shared<const Image>(*picture) : nullptr;
        const std::lock_guard lock(mutex);
        if (stop.stop_requested()) throw Cancelled("cancelled");
        now = {done, total, words, copy ? copy : now.picture};
    }
    Now latest() const {
        const std::lock_guard lock(mutex);
        return now;
    }
};

BackgroundRunner::Done BackgroundRunner::work_on(const Question& question, const std::stop_token& stop) {
    question.progress->stop = stop;
    const StoppableLoops stoppable(stop);
    const auto backend = make_backend_like(question.like);
    stay_on_device_of(*backend);
    question.work(backend, *question.progress);
    return {};
}

void BackgroundRunner::start(BackgroundJob job, const BackendInfo& like) {
    if (running()) throw Error(fmt::format("{} is running: cancel it or wait for it to finish", job_.title));
    run_.ask({job.work, like, std::make_shared<Progress>()}, work_on);
    job_ = std::move(job);
    cancelled_ = false;
    followed_.reset();
}

void BackgroundRunner::complete() {
    run_.wait();
    if (const auto result = run_.take(); result && result->problem) std::rethrow_exception(result->problem);
}

void BackgroundRunner::cancel() {
    run_.stop();
    cancelled_ = true;
}

void BackgroundRunner::give_up(AppState& state, const std::string& why) {
    end_cancelled();
    run_.stop();
    run_.wait();
    if (const auto result = run_.take()) finish(state, *result, why);
}

void BackgroundRunner::wake(const AppState& state, WakeUp& wake_up) const {
    if (running()) wake_up.draw_in(cancelled_ || !followed_ ? end_every : *followed_ + follow_every - state.now);
}

// Nothing of it is reported any more.
BackgroundJob BackgroundRunner::end_job(AppState& state) {
    state.report.*report_ = {};
    shown_.reset();
    return std::move(job_);
}

void BackgroundRunner::finish(AppState& state, const Run::Result& result, const std::optional<std::string>& why) {
    const BackgroundJob job = end_job(state);
    try {
        if (result.problem) std::rethrow_exception(result.problem);
        job.keep(state);
    } catch (const Cancelled&) {
        explain(state, job, why ? Message::Level::error : Message::Level::info, why.value_or("cancelled"));
    } catch (const Error& error) {
        explain(state, job, Message::Level::error, without_dashes(error.what()));
    } catch (const std::bad_alloc&) {
        explain(state, job, Message::Level::error, "not enough memory");
    } catch (const std::exception& error) {
        explain(state, job, Message::Level::error, error.what());
    }
}

// True if what runs ends with Cancelled for certain: its last part has not been reported.
bool BackgroundRunner::stop_for_certain() {
    const Progress& progress = *run_.question()->progress;
    const std::lock_guard lock(progress.mutex);
    run_.stop();
    return !run_.has_news() && progress.now.done < progress.now.total;
}

// Says at once that it is cancelled, if that is certain.
bool BackgroundRunner::leave(AppState& state) {
    if (!job_.reports_its_end || !stop_for_certain()) return false;
    run_.drop();
    explain(state, end_job(state), Message::Level::info, "cancelled");
    return true;
}

void BackgroundRunner::follow(AppState& state) {
    if (const auto result = run_.take()) return finish(state, *result);
    if (!running() || (cancelled_ && leave(state))) return;
    if (!followed_) followed_ = state.now + job_.quiet - follow_every;
    if (state.now - *followed_ < follow_every) return;
    followed_ = state.now;
    const Progress::Now now = run_.question()->progress->latest();
    BackgroundReport& report = state.report.*report_;
    report.name = job_.name;
    report.title = job_.title;
    report.dialog = job_.dialog;
    report.words = now.words;
    report.done = now.done;
    report.total = now.total;
    if (now.picture == shown_) return;
    shown_ = now.picture;
    report.picture = upload(texture_, *shown_);
}

namespace {

std::string compiled(const MethodInfo& method, int compute_capability) {
    const StopWatch watch;
    const bool kept = kernel_of(method)->code(compute_capability)->was_kept;
    return kept ? "Compiled before." : fmt::format("Compiled in {:.0f} ms.", watch.ms());
}

// The CPU interprets it: a compiler may be missing there.
std::string interpreted(const MethodInfo& method) {
    return fmt::format("{} instructions for the CPU.", kernel_of(method)->interpreted()->code.size());
}

}  // namespace

bool KernelCompiler::poll(AppState& state) {
    KernelUi& ui = state.kernel;
    bool news = take(state);
    if (kernel_is_due(state.kernel, state.now)) {
        ui.waits = ui.at_once = false;
        ui.compiling = news = true;
        work_.ask(Question{ui.text, state.machine.limits.compute_capability},
                  [](const Question& question, std::stop_token) {
                      const MethodInfo& method = kernel_method(question.text);
                      const int target = question.compute_capability;
                      return Answer{&method, target == 0 ? interpreted(method) : compiled(method, target)};
                  });
    }
    return news;
}

bool KernelCompiler::take(AppState& state) {
    const auto result = work_.take();
    if (!result) return false;
    state.kernel.compiling = false;
    if (result->answer) {
        use_kernel(state, result->question.text, *result->answer->method, result->answer->said);
        return true;
    }
    try {
        std::rethrow_exception(result->problem);
    } catch (const KernelError& error) {
        refuse_kernel(state.kernel, result->question.text, error.problems);
    } catch (const std::exception& error) {
        refuse_kernel(state.kernel, result->question.text, {{0, 0, error.what()}});
    }
    return true;
}

void KernelCompiler::wake(const AppState& state, WakeUp& wake_up) const {
    if (state.kernel.waits) wake_up.draw_in(std::max(0.0, state.kernel.typed_at + kernel_rest_seconds - state.now));
    work_.wake(wake_up, 0.05);
}

}  // namespace texelscope
