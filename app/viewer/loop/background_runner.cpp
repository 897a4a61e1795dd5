#include "app/viewer/loop/background_runner.h"

#include <new>

#include <fmt/format.h>

#include "app/viewer/loop/interface_texture.h"

namespace texelscope {
namespace {

constexpr double follow_every = 0.2, end_every = 0.03;  // seconds: at progress, and at a cancelled run's end

void explain(AppState& state, const BackgroundJob& job, Message::Level level, const std::string& why) {
    if (job.explain) job.explain(state, level, why);
    else post(state, level, fmt::format("{}: {}", job.title, why));
}

}  // namespace

void BackgroundRunner::start(BackgroundJob job, const BackendInfo& like) {
    if (run_) throw Error(fmt::format("{} is running: cancel it or wait for it to finish", job_.title));
    run_ = std::make_unique<BackgroundRun>(job.work, like, wake_);
    job_ = std::move(job);
    cancelled_ = false;
    followed_.reset();
}

void BackgroundRunner::complete() {
    if (!run_) return;
    const std::unique_ptr<BackgroundRun> run = std::move(run_);
    run->wait();
    run->check();
}

void BackgroundRunner::cancel() {
    if (run_) run_->cancel();
    cancelled_ = true;
}

void BackgroundRunner::give_up(AppState& state, const std::string& why) {
    end_cancelled();
    if (!run_) return;
    run_->cancel();
    run_->wait();
    finish(state, why);
}

void BackgroundRunner::wake(const AppState& state, WakeUp& wake_up) const {
    if (run_) wake_up.draw_in(cancelled_ || !followed_ ? end_every : *followed_ + follow_every - state.now);
}

void BackgroundRunner::finish(AppState& state, const std::optional<std::string>& why) {
    const std::unique_ptr<BackgroundRun> run = std::move(run_);
    const BackgroundJob job = std::move(job_);
    state.report.*report_ = {};
    shown_.reset();
    try {
        run->check();
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

// Says at once that it is cancelled, if that is certain.
bool BackgroundRunner::leave(AppState& state) {
    if (!job_.reports_its_end || !run_->cancel_for_certain()) return false;
    leaving_.push_back(std::move(run_));
    const BackgroundJob job = std::move(job_);
    state.report.*report_ = {};
    shown_.reset();
    explain(state, job, Message::Level::info, "cancelled");
    return true;
}

void BackgroundRunner::follow(AppState& state) {
    std::erase_if(leaving_, [](const auto& run) { return run->ended(); });
    if (run_ && cancelled_ && leave(state)) return;
    if (!run_) return;
    if (!followed_) followed_ = state.now + job_.quiet - follow_every;
    if (!run_->ended() && state.now - *followed_ < follow_every) return;
    followed_ = state.now;
    if (run_->ended()) return finish(state);
    const BackgroundRun::Now now = run_->now();
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

}  // namespace texelscope
