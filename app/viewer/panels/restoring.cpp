// The window "Which is best for this picture?": the answer, what was done, the choices, the figures.

#include "app/viewer/panels/dialogs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <imgui.h>

#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float least_rows = 4;                                // of the table: headings and some methods
constexpr float least_picture = 160, least_low_picture = 240;  // units: of the plot, and of the worst spot; a low
                                                               // window scrolls anyway

bool runs(const Report& report) { return report.background.dialog == Dialog::restoring; }

// Whether the result is one of the picture that the active pane shows now, or of its selected part.
bool of_this_picture(const AppState& state, const RestoringResult& result) {
    const Document* document = restored_document(state.scene);
    const RestoringPlan& plan = result.plan;
    const auto part = plan.whole ? std::optional(plan.part) : std::nullopt;
    return document && document->image == plan.picture() && part == restored_part(state.scene, state.ui.restoring);
}

// Whether the figures are of what is chosen now, and of this picture.
bool is_current(const AppState& state) {
    const RestoringReport& report = state.report.restoring;
    if (state.ui.restoring.choice.every_picture)
        return report.pictures && report.found_with == state.ui.restoring.choice;
    return report.result && report.found_with == state.ui.restoring.choice && of_this_picture(state, *report.result);
}

// The answer as it stands, then how far the comparison is: "Quintic B-spline is the best so far, 31.24 dB: 12 of 29
// methods are done."
std::string words_so_far(const RestoringResult& now) {
    const size_t done = now.methods.size(), all = now.plan.specs.size();
    const std::string far = done == all ? "now the worst spot is looked at"
                                        : fmt::format("{} of {} methods {} done", done, all, done == 1 ? "is" : "are");
    const std::string best = best_so_far(now);
    return fmt::format("{}{}{}.", best, best.empty() ? "" : ": ", far);
}

// The result, or why there is none, and how to get one.
void words_of_answer(AppState& state) {
    const RestoringReport& report = state.report.restoring;
    const Document* document = restored_document(state.scene);
    const bool current = is_current(state);
    if (runs(state.report)) {
        background_progress(state);
        return sentence(report.so_far ? words_so_far(*report.so_far)
                        : report.runs_with.every_picture
                            ? "Every method is measured on each picture; Esc keeps the pictures that are done."
                            : "The first method is being measured.",
                        gui::colour::text);
    }
    // In the row of the progress, so that nothing moves when it comes and goes.
    ImGui::BeginDisabled(!document || (report.problem.empty() && current));
    if (ImGui::Button("Compare", {gui::px(120), 0})) state.tasks.push_back(task::Restore{});
    ImGui::EndDisabled();
    gui::note("restoring:compare");
    gui::tooltip(document ? fmt::format("Compare the methods with {}.", document->title()) : "Open a picture first.");
    if (!report.problem.empty()) sentence(report.problem, gui::colour::warning);
    else if (current && report.pictures) sentence(verdict(*report.pictures), gui::colour::text);
    else if (current) sentence(verdict(*report.result), gui::colour::text);
    else if (report.result && !report.pictures)
        sentence(
            fmt::format("These figures are of {}, {}.", report.result->plan.source, done_words(report.result->plan)),
            gui::colour::warning);
}

// Always two rows of words, so that nothing below moves while methods come in.
void answer(AppState& state) {
    const float top = ImGui::GetCursorPosY();
    words_of_answer(state);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float words = 2 * gui::theme().heading->FontSize + style.FramePadding.y + style.ItemSpacing.y;
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + ImGui::GetFrameHeightWithSpacing() + words));
}

void buttons(AppState& state, const RestoringResult& result) {
    const RestoringReport& report = state.report.restoring;
    const bool enlarged = report.small != nullptr;
    const std::string best = fmt::format("Use {}", result.methods.front().spec.method->name);
    {
        const gui::PrimaryButton primary;
        if (ImGui::Button(best.c_str())) take_restored(state, result, 0);
    }
    gui::note("restoring:use");
    gui::tooltip("The best method becomes that of the active pane. A click on a row of the table takes another one.");
    ImGui::SameLine();
    ImGui::BeginDisabled(!enlarged);
    if (ImGui::Button("Show the best four", {gui::px(160), 0})) state.tasks.push_back(task::ShowBest{});
    ImGui::EndDisabled();
    gui::note("restoring:show-best");
    gui::tooltip(
        !enlarged ? "Only for the test Enlarge: what the other tests made of the picture is not kept; see Worst spot."
                  : "Four panes: the shrunk picture enlarged by the four best methods, at the spot where the "
                    "best one errs most, with the original as the reference. Ctrl+Z brings your panes back.");
}

// What the plot's x axis is.
void cost_choice(RestoringUi& restoring) {
    const std::array<gui::Segment, 2> segments = {
        {{"Fetches", "Reads of memory or texture per pixel: the same on every run and every machine."},
         {"Time", "What was measured on this machine: it differs a little from run to run."}}};
    bool& by_time = restoring.by_time;
    const float width = std::min(gui::px(200), ImGui::GetContentRegionAvail().x);
    const int clicked = gui::segmented("restoring:cost", segments, by_time ? 1 : 0, width);
    if (clicked < 0 || (clicked == 1) == by_time) return;
    by_time = clicked == 1;
    restoring.zoom = {};
}

void cost_plot(RestoringUi& restoring, const RestoringResult& result) {
    auto plot = quality_plot(result, restoring.by_time ? Cost::time : Cost::fetches);
    if (!plot) return;
    cost_choice(restoring);
    plot->title.clear();  // the axes say it, and need the width
    gui::plot_view(*plot, {.id = "##plot:restoring",
                           .zoom = restoring.zoom,
                           .height = ImGui::GetContentRegionAvail().y,
                           .tip = "Each method's quality against what it costs; the mouse names a point. A dashed line "
                                  "joins those that no other method beats in both. The wheel zooms, dragging pans."});
}

using Part = RestoringUi::Part;

constexpr float widest_table = 880, least_plot = 320, beside_table = 16;  // units

bool plot_fits_beside() {
    return ImGui::GetContentRegionAvail().x >= gui::px(widest_table + least_plot + beside_table);
}

// Table and plot, side by side if there is space.
void figures(AppState& state, const RestoringResult& result, float height) {
    const bool beside = plot_fits_beside();
    if (beside || state.ui.restoring.part == Part::figures) {
        ImGui::BeginChild("##table", {beside ? gui::px(widest_table) : 0, height});
        restoring_table(state, result, height);
        ImGui::EndChild();
    }
    if (beside) ImGui::SameLine(0, gui::px(beside_table));
    if (!beside && state.ui.restoring.part != Part::plot) return;
    ImGui::BeginChild("##plot", {0, height});
    cost_plot(state.ui.restoring, result);
    ImGui::EndChild();
}

bool shows_times(const UiState& ui, const RestoringResult& result) {
    const bool beside = plot_fits_beside();
    const Part part = ui.restoring.part;
    if (ui.restoring.by_time && (beside ? part != Part::pictures : part == Part::plot)) return true;
    const float width = beside ? gui::px(widest_table) : ImGui::GetContentRegionAvail().x;
    return part == Part::figures && restoring_table_has_times(ui, result, width);
}

// Beside the choice of what is shown: results that lie elsewhere; where times are shown, that they are rough.
void busy_remark(const UiState& ui, const RestoringResult& result) {
    const std::string displacement = displacement_words(result.methods), busy = busy_words(result.methods);
    if (!displacement.empty()) {
        ImGui::SameLine(0, gui::px(12));
        ImGui::AlignTextToFramePadding();
        const std::string shown = gui::fitting({displacement, "A result is not where the original is.", "Not aligned."},
                                               ImGui::GetContentRegionAvail().x);
        ImGui::TextColored(ImVec4(gui::colour::warning), "%s", shown.c_str());
        gui::note("restoring:displacement");
        gui::tooltip(displacement);
        return;
    }
    if (busy.empty() || !shows_times(ui, result)) return;
    ImGui::SameLine(0, gui::px(12));
    ImGui::AlignTextToFramePadding();
    const std::string shown =
        gui::fitting({busy, "Busy machine: times are rough.", "Times are rough."}, ImGui::GetContentRegionAvail().x);
    ImGui::TextColored(ImVec4(gui::colour::warning), "%s", shown.c_str());
    gui::note("restoring:busy");
    gui::tooltip(busy +
                 " Each time is the shortest of several; compare again when nothing else runs, or rank by fetches.");
}

// Which of them is shown.
void choose_shown(AppState& state) {
    const bool spots = !state.report.restoring.spots.empty(), beside = plot_fits_beside();
    const std::array<gui::Segment, 3> segments = {
        {{"Figures", "The table of all methods."},
         {"Plot", "How good each method is, over what it costs."},
         {"Worst spot",
          "The part of the picture where the best method errs most: the original beside what the best "
          "methods made of it.",
          spots}}};
    Part& part = state.ui.restoring.part;
    if ((part == Part::pictures && !spots) || (part == Part::plot && beside)) part = Part::figures;
    const float width = std::min(gui::px(beside ? 280 : 320), ImGui::GetContentRegionAvail().x);
    if (beside) {  // the plot is beside the figures
        const std::array<gui::Segment, 2> two = {segments[0], segments[2]};
        const int clicked = gui::segmented("restoring:part", two, part == Part::pictures ? 1 : 0, width);
        if (clicked >= 0) part = clicked == 1 ? Part::pictures : Part::figures;
    } else if (const int clicked = gui::segmented("restoring:part", segments, int(part), width); clicked >= 0) {
        part = Part(clicked);
    }
}

void found(AppState& state, const RestoringResult& result) {
    choose_shown(state);
    busy_remark(state.ui, result);
    if (const std::string holes = left_out_words(result); !holes.empty()) {
        gui::remark(holes + ".", false);
        gui::note("restoring:holes");
    }
    const bool one_row = ImGui::GetContentRegionMax().x >= gui::px(760);
    const bool low = ImGui::GetWindowHeight() < gui::px(420);
    const float below = (one_row || low ? 1 : 2) * ImGui::GetFrameHeightWithSpacing() + gui::px(low ? 0 : 8);
    // Without the space for it, all of it scrolls.
    const bool table = state.ui.restoring.part == Part::figures;
    const float least = table ? least_rows * restoring_row_height() : gui::px(low ? least_low_picture : least_picture);
    const float height = std::max(ImGui::GetContentRegionAvail().y - below, least);
    if (state.ui.restoring.part == Part::pictures) {
        ImGui::BeginChild("##pictures", {0, height});
        ImGui::BeginDisabled(runs(state.report));  // of the last comparison, until the new ones come
        restoring_pictures(state.report.restoring, height);
        ImGui::EndDisabled();
        ImGui::EndChild();
    } else {
        figures(state, result, height);
    }
    ImGui::BeginDisabled(runs(state.report));
    buttons(state, result);
    if (one_row) ImGui::SameLine(0, gui::px(24));
    restoring_save_row(state);
    ImGui::EndDisabled();
}

// In the place of other words, and at least as high, so that no field moves while one types.
void warning(const std::string& text, const std::string& instead_of) {
    const float top = ImGui::GetCursorPosY(), width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::CalcTextSize(gui::broken(instead_of, width).c_str()).y;
    gui::wrapped_text(text, gui::colour::warning);
    gui::note("restoring:refused");
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + height + ImGui::GetStyle().ItemSpacing.y));
}

// What is done to the picture, in a sentence, and the choices.
void test(AppState& state) {
    const Document* document = restored_document(state.scene);
    const RestoringChoice& choice = state.ui.restoring.choice;
    const std::string which = choice.every_picture ? "Each open picture: " : document ? document->title() + ": " : "";
    const std::string words = which + restoring_words(choice);
    if (const std::string& refused = state.ui.restoring.refused; !refused.empty()) warning(refused, words);
    else gui::remark(words, false);
    if (restoring_choices(state.scene, state.ui.restoring)) state.tasks.push_back(task::Restore{});
}

}  // namespace

void restoring(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::restoring)) return;
    if (begins_anew(state.ui, Dialog::restoring)) state.ui.restoring.refused.clear();
    answer(state);
    // A low window leaves its space to the figures.
    constexpr float high_enough = 660;  // units
    if (ImGui::GetWindowHeight() >= gui::px(high_enough) ||
        gui::section("Test###restoring-test", false, {restoring_summary(state.scene, state.ui.restoring)}))
        test(state);
    ImGui::Dummy({0, gui::px(4)});
    const RestoringReport& report = state.report.restoring;
    const bool waits = state.ui.restoring.part == Part::pictures && !report.so_far;  // with the last ones in view
    const auto shown = runs(state.report) && !waits ? report.so_far : report.result;
    ImGui::BeginDisabled(!runs(state.report) && !is_current(state));  // greyed while there is no newer one
    if (state.ui.restoring.choice.every_picture) {
        if (report.pictures) judged_pictures(state, *report.pictures);
    } else if (shown) {
        found(state, *shown);
    }
    ImGui::EndDisabled();
    end_dialog();
}

}  // namespace texelscope::panels
