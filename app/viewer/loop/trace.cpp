#include "app/viewer/loop/viewer_window.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/picture/pane_picture.h"
#include "app/picture/rendition.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/state/session/session.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

using nlohmann::json;

const char* name_of(Message::Level level) {
    switch (level) {
        case Message::Level::hint: return "hint";
        case Message::Level::info: return "info";
        case Message::Level::warning: return "warning";
        case Message::Level::error: return "error";
    }
    return "";
}

// Against the reference; null while unknown.
json figures(const AppState& state, int pane) {
    const PaneReport* report = report_of(state.report, pane);
    if (!report || report->outdated || !report->metrics) return nullptr;
    const Metrics& m = *report->metrics;
    return {{"rmse", m.rmse}, {"max_abs", m.max_abs}, {"pixels", m.pixels}};
}

json as_json(const View& view) {
    return {{"translate_x", view.translate_x},
            {"translate_y", view.translate_y},
            {"scale", view.scale},
            {"rotate", view.rotate}};
}

json as_json(const Levels& levels) { return {{"black", levels.black}, {"white", levels.white}}; }

json experiment_as_json(const ExperimentsUi& experiments, const Report& report) {
    const BackgroundReport& background = report.background;
    return {{"running", background.name},
            {"done", background.done},
            {"results", report.experiments.results.size()},
            {"report", experiments.report_path}};
}

json restoring_as_json(const AppState& state) {
    const RestoringReport& report = state.report.restoring;
    json methods = json::array(), part;
    if (report.result) {
        for (const RestoredMethod& method : report.result->methods) methods.push_back(method.spec.method->id);
        if (const RestoringPlan& plan = report.result->plan; plan.whole)
            part = {plan.part.x, plan.part.y, plan.part.width, plan.part.height};
    }
    json pictures;
    if (const auto& judged = report.pictures) {
        pictures = {{"judged", judged->judged()}, {"verdict", verdict(*judged)}, {"methods", json::array()}};
        for (const MethodSummary& method : judged->methods)
            pictures["methods"].push_back(method.average.spec.method->id);
        for (const JudgedPicture& picture : judged->pictures)
            if (!picture.judged()) pictures["left_out"].push_back(picture.problem);
    }
    return {{"running", state.report.background.dialog == Dialog::restoring},
            {"pictures", pictures},
            {"problem", report.problem},
            {"refused", state.ui.restoring.refused},
            {"part", part},
            {"methods", methods}};
}

json identifying_as_json(const AppState& state) {
    const IdentifyReport& report = state.report.identifying;
    const IdentifyUi& ui = state.ui.identifying;
    json ranked = json::array(), findings = json::array();
    if (report.found) {
        for (const RankedRecipe& each : report.found->ranked) ranked.push_back(each.recipe.text);
        findings = report.found->findings;
    }
    return {{"running", state.report.background.dialog == Dialog::identifying},
            {"original", ui.original},
            {"result", ui.result},
            {"refused", why_no_pair(state.scene, ui)},
            {"problem", report.problem},
            {"findings", findings},
            {"ranked", ranked}};
}

json explaining_as_json(const AppState& state) {
    const ExplainReport& report = state.report.explaining;
    json steps = json::array();
    if (report.found)
        for (const ExplainedStep& step : report.found->steps)
            steps.push_back({{"changed", name_of(step.changed)}, {"largest", step.step.largest}});
    return {{"running", state.report.background.dialog == Dialog::explaining},
            {"problem", report.problem},
            {"refused", explained_pair(state.scene, state.ui.explaining).problem},
            {"answer", report.found ? report.found->answer() : ""},
            {"steps", steps}};
}

json filmstrip_as_json(const Filmstrip& strip) {
    const auto made =
        std::ranges::count_if(strip.pictures, [](const auto& each) { return each.second.picture.name != 0; });
    return {
        {"first", strip.first}, {"end", strip.end}, {"made", made}, {"failed", int(strip.pictures.size()) - int(made)}};
}

// Null if none is open.
json lesson_as_json(const AppState& state) {
    const LessonState& lesson = state.lesson;
    if (!lesson.lesson) return nullptr;
    return {{"name", lesson.lesson->name},
            {"step", lesson.step + 1},
            {"steps", lesson.lesson->steps.size()},
            {"answer", lesson.answer},
            {"left", has_left_step(state)},
            {"controls", lesson.controls},
            {"chosen", lesson.replied ? lesson.chosen : -2},
            {"sliders", lesson.sliders}};
}

// The host's time for the last frame that rendered something, milliseconds.
json host_times(const StageTimings& t) {
    return {
        {"plan", t.plan},     {work::acquire.name, t.acquire}, {"launch", t.launch}, {work::release.name, t.release},
        {"submit", t.submit}, {work::panels.name, t.gui},      {"total", t.total}};
}

// Null if there is none; frequencies in cycles per sample, the strongest but for the mean.
json spectrum_as_json(const SpectrumReport& report) {
    json spectra = json::array();
    for (const SpectrumReport::Shown& shown : report.of) {
        if (!shown.spectrum) {
            spectra.push_back(nullptr);
            continue;
        }
        const Spectrum& s = *shown.spectrum;
        spectra.push_back({{"size", {s.width, s.height}},
                           {"nyquist", s.nyquist()},
                           {"strongest", {s.x(s.strongest.first), s.y(s.strongest.second)}}});
    }
    return {{"of", spectra}, {"outdated", report.outdated}};
}

json editor_as_json(const std::string& text, const std::vector<WeightProblem>& problems) {
    json result = {{"text", text}, {"problems", json::array()}};
    for (const WeightProblem& problem : problems) result["problems"].push_back(to_string(problem));
    return result;
}

void add_panes(json& root, const AppState& state) {
    for (int i = 0; i < int(state.scene.panes.size()); ++i) {
        root["panes"].push_back(to_string(state.scene.panes[size_t(i)].spec));
        const PixelRect rect = pane_rect(state, i);
        root["places"].push_back({rect.x, rect.y, rect.width, rect.height});
        const View own = pane_view(state, i);
        root["views"].push_back({own.translate_x, own.translate_y, own.scale, own.rotate});
        root["linked"].push_back(!state.scene.panes[size_t(i)].own_view);
        root["figures"].push_back(figures(state, i));
        const PaneReport* map = report_of(state.report, i);
        root["maps"].push_back(map && map->map && !map->outdated ? json(map->map->mean) : json());
        if (const PaneReport* report = report_of(state.report, i))
            root["computed_by"].push_back({name_of(report->kernel.kernel), report->kernel.reason});
    }
}

void add_image(json& root, const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return;
    root["image"] = document->source;
    root["parts"] = part_count(state);
    root["keep_fit"] = document->keep_fit;
    if (document->image) root["size"] = {document->image->width(), document->image->height()};
}

void add_cursor(json& root, const Scene& scene, const Report& report) {
    if (const auto& r = scene.selection) root["selection"] = {r->x0, r->y0, r->x1, r->y1};
    if (const auto& r = report.findings.readout) {
        root["cursor"] = {r->position.x, r->position.y};
        root["value"] = std::vector<float>(r->interpolated.begin(), r->interpolated.begin() + r->channels);
        if (r->map) root["map"] = std::isnan(*r->map) ? json() : json(*r->map);
    }
}

}  // namespace

std::string state_as_json(const AppState& state, const gui::ControlLog& controls) {
    const PixelRect& picture = state.places.picture;
    json root = {
        {"picture", {picture.x, picture.y, picture.width, picture.height}},
        {"framebuffer", {state.places.framebuffer_width, state.places.framebuffer_height}},
        {"view", as_json(shown_view(state))},
        {"spec", to_string(shown_spec(state))},
        {"shown", pane_name(state.scene.active)},
        {"reference", state.pointer.reference},
        {"difference", shows_difference(state, state.scene.active)},
        {"gain", state.scene.difference.gain},
        {"arrangement", name_of(state.scene.arrangement)},
        {"active", state.scene.active},
        {"focused", focused_pane(state)},
        {"divider", wipe_at(state)},
        {"palette", state.ui.dialogs.has(Dialog::palette)},
        {"dialog", state.ui.dialogs.topmost() ? name_of(*state.ui.dialogs.topmost()) : ""},
        {"session", json::parse(step_to_json(session_of(state.scene, state.ui)))},
        {"folder", {{"position", state.folder.position + 1}, {"count", state.folder.count()}}},
        {"filmstrip", filmstrip_as_json(state.filmstrip)},
        {"dock", name_of(state.ui.dock)},
        {"can_undo", can_undo(state)},
        {"can_redo", can_redo(state)},
        {"levels", as_json(levels_of(state.scene, state.scene.active))},
        {"outside", name_of(state.scene.outside)},
        {"antialias", state.scene.antialias},
        {"widened", shown_reading(state).widened()},
        {"draft", state.draft.active},
        {"preparing", state.report.frame.preparing.panes},
        {"to_come", state.report.frame.preparing.to_come},
        {"of_file", state.report.frame.preparing.of_file},
        {"linear_light", state.scene.light == Light::linear},
        {"warp", {{"kind", name_of(acting_warp(state).kind)}, {"strength", acting_warp(state).strength}}},
        {"panels", state.ui.panels},
        {"loupe", state.ui.loupe},
        {"no_metrics", state.report.findings.no_metrics},
        {"measuring", state.report.findings.measuring},
        {"working", state.work.has_value()},
        {"work", state.work ? state.work->text : ""},
        {"loading", state.loading ? state.loading->source : ""},
        {"experiment", experiment_as_json(state.ui.experiments, state.report)},
        {"restoring", restoring_as_json(state)},
        {"identifying", identifying_as_json(state)},
        {"explaining", explaining_as_json(state)},
        {"lesson", lesson_as_json(state)},
        {"presenter", state.presenter.on},
        {"recording", state.report.recording.path},
        {"settled", !state.transition.has_value()},
        {"rung", state.machine.rung},
        {"rung_reason", state.machine.rung_reason},
        {"drawn_from", state.report.frame.drawn_from},
        {"computing", state.report.frame.computing},
        {"latency_ms", state.report.frame.latency.last},
        {"latency_median_ms", state.report.frame.latency.median},
        {"host_ms", host_times(state.report.frame.timings)},
    };
    root["spectrum"] = spectrum_as_json(state.report.findings.spectrum);
    root["kernel"] = editor_as_json(state.kernel.text, state.kernel.problems);
    root["kernel"]["said"] = state.kernel.said;
    root["kernel"]["busy"] = state.kernel.waits || state.kernel.compiling;
    root["formula"] = editor_as_json(state.weights.text, state.weights.problems);
    root["formula"]["open"] = state.ui.dock == Dock::formula;
    add_panes(root, state);
    add_image(root, state);
    add_cursor(root, state.scene, state.report);
    root["messages"] = json::array();
    for (const Message& message : state.messages)
        root["messages"].push_back({{"level", name_of(message.level)}, {"text", message.text}});
    for (const auto& [id, box] : controls) root["controls"][id] = box;
    return json_text(root);
}

// What --trace-state prints.

void ViewerWindow::trace() {
    if (!trace_) return;
    std::string now = state_as_json(state_, gui_.controls());
    if (now == traced_) return;
    // An additional frame alone is not a change of state.
    say(fmt::format("{{\"frames\":{},{}", state_.report.frame.frames_drawn, std::string_view(now).substr(1)));
    traced_ = std::move(now);
}

// For programs that drive the window: all input before "at rest" has been dealt with.
void ViewerWindow::trace_rest(bool resting) {
    if (!trace_ || std::exchange(resting_, resting) == resting) return;
    say(resting ? "at rest" : "awake");
}

// For tests of frame times: whatever keeps the window from its next frame for long. On a busy machine that is the others'
// time; what this thread computed is not.
void ViewerWindow::trace_slow_turn(double ms, double computed_ms) {
    constexpr double worth_telling = 16;
    if (!trace_ || ms < worth_telling) return;
    say(fmt::format("slow turn: {:.1f} ms, computed {:.1f} ms{}", ms, computed_ms, state_.loading ? ", loading" : ""));
}

// On stderr; once nobody reads that, it is said in the window instead.
void ViewerWindow::say(std::string line) {
    line += '\n';
    if (std::fwrite(line.data(), 1, line.size(), stderr) == line.size() && std::fflush(stderr) == 0) return;
    trace_ = false;
    post(state_.messages, Message::Level::warning,
         "Nobody reads what --trace-state says any more, so it says nothing.");
    draw_soon();
}

}  // namespace texelscope
