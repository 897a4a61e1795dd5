// The window "Which is best for this picture?": the answer, what was done, the choices, the figures.

#include "app/viewer/panels/restoring.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <imgui.h>

#include "app/studies/restoring/restored_columns.h"
#include "app/studies/restoring/restoring_reports.h"
#include "app/studies/restoring/verdict.h"
#include "app/viewer/editing/restoring_edits.h"
#include "app/viewer/panels/background_progress.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

bool runs(const AppState& state) { return state.report.background.dialog == Dialog::restoring; }

// Wrapped, in the font of headings.
void sentence(const std::string& text, const gui::Colour& ink) {
    ImGui::AlignTextToFramePadding();
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

// Whether the figures are of what is chosen now, and of this picture.
bool is_current(const AppState& state) {
    const RestoringReport& report = state.report.restoring;
    return report.result && report.found_with == state.ui.restoring.choice && of_this_picture(state, *report.result);
}

// The result, or why there is none, and how to get one.
void answer(AppState& state) {
    const RestoringReport& report = state.report.restoring;
    const Document* document = restored_document(state);
    const bool current = is_current(state);
    if (runs(state)) return background_progress(state);
    if (!report.problem.empty()) sentence(report.problem, gui::colour::warning);
    else if (current) sentence(verdict(report.result->plan.restoration, report.result->methods), gui::colour::text);
    else if (report.result)
        sentence(
            fmt::format("These figures are of {}, {}.", report.result->plan.source, done_words(report.result->plan)),
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
    const bool enlarged = report.small != nullptr;
    ImGui::BeginDisabled(!enlarged);
    if (ImGui::Button("Show the best four", {gui::px(160), 0})) state.tasks.push_back(task::ShowBest{});
    ImGui::EndDisabled();
    gui::note("restoring:show-best");
    gui::tooltip(
        !enlarged ? "Only for the test Enlarge: what the other tests made of the picture is not kept; see Worst spot."
                  : "Four panes: the shrunk picture enlarged by the four best methods, at the spot where the "
                    "best one errs most, with the original as the reference. Ctrl+Z brings your panes back.");
}

// Table and plot, side by side if there is space.
void figures(AppState& state, const RestoringResult& result, float height) {
    constexpr float widest_table = 840, least_plot = 320;  // units
    const float room = ImGui::GetContentRegionAvail().x, gap = gui::px(16);
    const bool beside = room >= gui::px(widest_table + least_plot) + gap;
    ImGui::BeginChild("##table", {beside ? gui::px(widest_table) : 0, height});
    restoring_table(state, result, height);
    ImGui::EndChild();
    auto plot = quality_plot(result);
    if (!plot) return;
    plot->title.clear();  // the axes say it, and need the width
    if (beside) ImGui::SameLine(0, gap);
    ImGui::BeginChild("##plot", {0, beside ? height : gui::px(300)});
    gui::plot_view(*plot,
                   {.id = "##plot:restoring",
                    .zoom = state.ui.restoring.zoom,
                    .height = ImGui::GetContentRegionAvail().y,
                    .tip = "Each method's PSNR against the time that it takes. A dashed line joins those that no "
                           "other method beats in both. The wheel zooms, dragging pans."});
    ImGui::EndChild();
}

void found(AppState& state, const RestoringResult& result) {
    const std::array<gui::Segment, 2> segments = {
        {{"Figures", "The table of all methods, and quality against cost."},
         {"Worst spot",
          "The part of the picture where the best method errs most: the original beside what the best "
          "methods made of it.",
          !state.report.restoring.spots.empty()}}};
    bool& pictures = state.ui.restoring.pictures;
    ImGui::BeginChild("##parts", {gui::px(280), ImGui::GetFrameHeight()});
    const int clicked = gui::segmented("restoring:part", segments, pictures ? 1 : 0);
    ImGui::EndChild();
    if (clicked >= 0) pictures = clicked == 1;
    const float below = ImGui::GetFrameHeightWithSpacing() + gui::px(8),
                height = std::max(ImGui::GetContentRegionAvail().y - below, gui::px(220));
    if (pictures) {
        ImGui::BeginChild("##pictures", {0, height});
        restoring_pictures(state);
        ImGui::EndChild();
    } else {
        figures(state, result, height);
    }
    buttons(state);
    if (ImGui::GetContentRegionMax().x >= gui::px(760)) ImGui::SameLine(0, gui::px(24));
    restoring_save_row(state);
}

}  // namespace

void restoring(AppState& state) {
    if (!state.ui.dialogs.has(Dialog::restoring)) return;
    ImGui::SetNextWindowSizeConstraints({gui::px(480), gui::px(320)}, ImGui::GetIO().DisplaySize);
    begin_dialog(state, Dialog::restoring, {"Which is best for this picture?", 1240, 720});
    answer(state);
    const Document* document = restored_document(state);
    gui::remark(
        fmt::format("{}{}", document ? document->title() + ": " : "", restoring_words(state.ui.restoring.choice)),
        false);
    if (restoring_choices(state)) state.tasks.push_back(task::Restore{});
    ImGui::Dummy({0, gui::px(4)});
    ImGui::BeginDisabled(!is_current(state));  // greyed while there is no newer one
    if (const auto result = state.report.restoring.result) found(state, *result);
    ImGui::EndDisabled();
    end_dialog();
}

}  // namespace texelscope::panels
