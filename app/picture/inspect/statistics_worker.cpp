#include "app/picture/inspect/statistics_worker.h"

namespace texelscope {

std::optional<StatisticsWorker::Question> StatisticsWorker::asked(const AppState& state) {
    const Document* document = state.scene.document();
    if (state.ui.dock != Dock::statistics || !document || !document->image) return {};
    const bool all = state.ui.inspect.statistics_of_all;
    return Question{document->image, samples_in(all ? std::nullopt : state.scene.selection, *document->image)};
}

bool StatisticsWorker::follow(AppState& state) {
    Findings& findings = state.report.findings;
    const std::optional<Question> now = asked(state);
    bool changed = false;
    if (auto result = work_.take(); result && result->question == now) {
        findings.statistics.done = result->answer.value_or(std::nullopt);
        findings.no_statistics = result->why();
        answered_ = now;
        changed = true;
    }
    if (!now) {
        work_.drop();
        changed = changed || findings.statistics.done.has_value();
        findings.statistics = {};
        findings.no_statistics.clear();
        answered_.reset();
        return changed;
    }
    if (answered_ != now && !(work_.question() && *work_.question() == *now))
        work_.ask(*now, [](const Question& question, const std::stop_token& stop) {
            return statistics_of(*question.image, question.box, stop);
        });
    const bool working = work_.question() != nullptr;
    if (findings.statistics.working != working) changed = true;
    findings.statistics.working = working;
    return changed;
}

}  // namespace texelscope
