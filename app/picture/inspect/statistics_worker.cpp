#include "app/picture/inspect/statistics_worker.h"

#include <exception>

namespace texelscope {

std::optional<StatisticsWorker::Question> StatisticsWorker::asked(const AppState& state) {
    const Document* document = state.scene.document();
    if (state.ui.dock != Dock::statistics || !document || !document->image) return {};
    const bool all = state.ui.inspect.statistics_of_all;
    return Question{document->image, samples_in(all ? std::nullopt : state.scene.selection, *document->image)};
}

void StatisticsWorker::start(Question question) {
    run_ = std::make_unique<Run>();
    run_->question = std::move(question);
    run_->thread = std::jthread([run = run_.get()](const std::stop_token& stop) {
        try {
            run->result = statistics_of(*run->question.image, run->question.box, stop);
        } catch (const std::exception& error) {
            run->problem = error.what();
        }
        run->ended = true;
    });
}

bool StatisticsWorker::follow(AppState& state) {
    Findings& findings = state.report.findings;
    const std::optional<Question> now = asked(state);
    bool changed = false;
    if (run_ && run_->ended) {
        if (run_->question == now) {
            findings.statistics.done = run_->result;
            findings.no_statistics = run_->problem;
            answered_ = run_->question;
            changed = true;
        }
        run_.reset();
    }
    if (!now) {
        if (run_) run_->thread.request_stop();
        changed = changed || findings.statistics.done.has_value();
        findings.statistics = {};
        findings.no_statistics.clear();
        answered_.reset();
        return changed;
    }
    if (run_ && run_->question != now) run_->thread.request_stop();
    if (!run_ && answered_ != now) start(*now);
    if (findings.statistics.working != bool(run_)) changed = true;
    findings.statistics.working = bool(run_);
    return changed;
}

void StatisticsWorker::wake(WakeUp& wake_up) const {
    constexpr double look_every = 0.02;
    if (run_) wake_up.look_in(look_every);
}

}  // namespace texelscope
