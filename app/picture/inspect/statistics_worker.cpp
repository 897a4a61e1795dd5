#include "app/picture/inspect/statistics_worker.h"

#include <utility>

namespace texelscope {

std::optional<StatisticsWorker::Question> StatisticsWorker::asked(const AppState& state) {
    const Document* document = state.scene.document();
    if (state.ui.dock != Dock::statistics || !document || !document->image) return {};
    const bool all = state.ui.inspect.statistics_of_all;
    return Question{document->image, samples_in(all ? std::nullopt : state.scene.selection, *document->image)};
}

bool StatisticsWorker::fill(AppState& state) {
    Findings& findings = state.report.findings;
    const bool came = statistics_.take();
    const std::optional<Question> now = asked(state);
    const auto* made = now ? statistics_.ask(*now) : nullptr;
    statistics_.end_frame([](const Question& question) {
        return [question](const std::stop_token& stop) { return statistics_of(*question.image, question.box, stop); };
    });
    if (!now) {
        const bool changed = findings.statistics.done.has_value();
        findings.statistics = {};
        findings.no_statistics.clear();
        return changed;
    }
    if (came && made) {
        findings.statistics.done = made->value.value_or(std::nullopt);
        findings.no_statistics = made->why();
    }
    const bool was_working = std::exchange(findings.statistics.working, !made);
    return (came && made) || was_working == (made != nullptr);
}

}  // namespace texelscope
