#include "app/frame/measurer.h"

#include <algorithm>
#include <utility>

#include "gpu/core/stop_watch.h"

namespace texelscope {
namespace {

constexpr double budget_ms = 4;  // of a frame, but for the pane that is under way

}  // namespace

void Measurer::ask(AppState& state) {
    const std::vector<int> in_view = panes_in_view(state);
    state.report.panes.resize(state.scene.panes.size());  // the panels may have made one
    pending_ = false;
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) {
        std::optional<Known>& known = panes_[size_t(pane)];
        PaneReport& report = state.report.panes[size_t(pane)];
        const bool seen = std::find(in_view.begin(), in_view.end(), pane) != in_view.end();
        if (!seen || !image_of(state, pane) || output_extent(state, pane).empty()) {
            known.reset();
            report.outdated = true;
            continue;
        }
        auto reference = reference_rendition(state, pane);
        if (!reference) {
            known.reset();
            report.metrics.reset();
            report.outdated = true;
            continue;
        }
        Question now{pane_rendition(state, pane), std::move(*reference), measured_selection(state, pane)};
        if (!known || !(known->question == now)) {
            known = Known{std::move(now), false};
            report.outdated = true;
            changed_ = state.now;
        }
        pending_ = pending_ || !known->answered;
    }
    for (size_t pane = state.scene.panes.size(); pane < panes_.size(); ++pane) panes_[pane].reset();
    state.report.measuring = pending_;
}

bool Measurer::measure(AppState& state, FrameRenderer& renderer, int pane) {
    std::optional<Known>& known = panes_[size_t(pane)];
    if (!known || known->answered) return false;
    known->answered = true;  // also where it fails: the same question is not asked again
    PaneReport& report = state.report.panes[size_t(pane)];
    try {
        const Question& q = known->question;
        report.metrics = renderer.panes().measure(q.shown, q.reference, q.selection);
        report.outdated = false;
        state.report.no_metrics.clear();
    } catch (const std::exception& error) {
        report.metrics.reset();
        state.report.no_metrics = error.what();
    }
    return true;
}

bool Measurer::update(AppState& state, FrameRenderer& renderer) {
    if (!pending_ || patience(state) > 0) return false;
    const StopWatch watch;
    bool news = false;
    for (const int pane : panes_in_view(state)) {
        if (watch.ms() > budget_ms) return split_ = true;  // the next frame goes on
        news |= measure(state, renderer, pane);
    }
    slow_ = std::exchange(split_, false) || watch.ms() > budget_ms;
    measured_ = state.now;
    return news;
}

void Measurer::finish(AppState& state, FrameRenderer& renderer) {
    ask(state);
    for (const int pane : panes_in_view(state)) measure(state, renderer, pane);
    pending_ = false;
}

// A picture that follows the mouse must not wait for figures.
bool Measurer::live(const AppState& state) const {
    return state.report.on_gpu && panes_in_view(state).size() > 1 && !slow_;
}

double Measurer::patience(const AppState& state) const {
    if (!pending_) return -1;
    const double rest = changed_ + measure_rest_seconds - state.now;
    const double wait = live(state) ? std::min(rest, measured_ + measure_every_seconds - state.now) : rest;
    return std::max(wait, 0.0);
}

}  // namespace texelscope
