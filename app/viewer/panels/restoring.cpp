// The window "Which is best for this picture?": the answer, what was done, the choices, the figures.

#include "app/viewer/panels/restoring.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_words.h"
#include "app/studies/restoring/verdict.h"
#include "app/viewer/editing/restoring_edits.h"
#include "app/viewer/panels/background_progress.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

bool runs(const AppState& state) { return state.report.background.dialog == Dialog::restoring; }

// Wrapped, in the font of headings.
void sentence(const std::string& text, const gui::Colour& ink) {
    ImGui::PushFont(gui::theme().heading);
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(ink));
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

// Whether the result is one of the picture that the active pane shows now.
bool of_this_picture(const AppState& state, const RestoringResult& result) {
    const Document* document = restored_document(state);
    return document && document->image == result.plan.image;
}

// The result, or why there is none, and how to get one.
void answer(AppState& state) {
    const RestoringReport& report = state.report.restoring;
    const Document* document = restored_document(state);
    const bool current = report.result && of_this_picture(state, *report.result);
    if (runs(state)) return background_progress(state);
    if (!report.problem.empty()) sentence(report.problem, gui::colour::warning);
    else if (current) sentence(verdict(report.result->methods), gui::colour::text);
    else if (report.result)
        sentence(fmt::format("The picture has changed: these figures are of {}.", report.result->plan.source),
                 gui::colour::warning);
    if (report.problem.empty() && current) return;
    ImGui::BeginDisabled(!document);
    if (ImGui::Button("Compare", {gui::px(120), 0})) state.tasks.push_back(task::Restore{});
    ImGui::EndDisabled();
    gui::note("restoring:compare");
    if (document) gui::tooltip(fmt::format("Compare the methods with {}.", document->title()));
}

void buttons(AppState& state) {
    const RestoringReport& report = state.report.restoring;
    const bool enlarged = report.small != nullptr, here = report.result && of_this_picture(state, *report.result);
    ImGui::BeginDisabled(!enlarged || !here);
    if (ImGui::Button("Show the best four", {gui::px(160), 0})) state.tasks.push_back(task::ShowBest{});
    ImGui::EndDisabled();
    gui::note("restoring:show-best");
    gui::tooltip(!enlarged ? "Only for the test Enlarge: a turned or shifted picture is not kept."
                 : !here   ? "The picture of this comparison is not shown any more."
                           : "Four panes: the shrunk picture enlarged by the four best methods, at the spot where the "
                             "best one errs most, with the original as the reference. Ctrl+Z brings your panes back.");
}

void figures(AppState& state, const RestoringResult& result) {
    const float below = ImGui::GetFrameHeightWithSpacing() + gui::px(4),
                height = std::max(ImGui::GetContentRegionAvail().y - below, gui::px(200));
    restoring_table(state, result, height);
    buttons(state);
}

}  // namespace

void restoring(AppState& state) {
    if (!state.ui.dialogs.has(Dialog::restoring)) return;
    ImGui::SetNextWindowSizeConstraints({gui::px(480), gui::px(320)}, ImGui::GetIO().DisplaySize);
    begin_dialog(state, Dialog::restoring, {"Which is best for this picture?", 1180, 720});
    answer(state);
    const Document* document = restored_document(state);
    gui::remark(
        fmt::format("{}{}", document ? document->title() + ": " : "", restoring_words(state.ui.restoring.choice)),
        false);
    if (restoring_choices(state)) state.tasks.push_back(task::Restore{});
    ImGui::Dummy({0, gui::px(4)});
    if (const auto result = state.report.restoring.result) figures(state, *result);
    end_dialog();
}

}  // namespace texelscope::panels
