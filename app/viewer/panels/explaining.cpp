// The dialog "Explain the difference": two recipes, and a ladder of ingredients between them.

#include "app/viewer/panels/dialogs.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/state/panes.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/text/text.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// A field, and a list of the recipes with their usual options. True if Enter has ended it.
bool recipe_field(const char* label, const char* id, std::string& text) {
    const char* const tip =
        "A recipe, as in like:pillow/bicubic; its options follow a colon, as in "
        "like:torch/bicubic:antialias=true. The list has all.";
    field_label(label, tip);
    const float list = ImGui::GetFrameHeight();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - list - gui::px(4));
    const bool ended = ImGui::InputText((std::string("##") + id).c_str(), &text, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip(tip);
    gui::note(id);
    ImGui::SameLine(0, gui::px(4));
    ImGui::SetNextItemWidth(list);
    if (!gui::begin_combo((std::string("##list-") + id).c_str(), "")) {
        gui::tooltip("Choose a recipe.");
        gui::note(std::string(id) + "-list");
        return ended;
    }
    std::string_view library;
    for (const Recipe& recipe : all_recipes()) {
        if (recipe.given_positions) continue;
        if (recipe.library != library) ImGui::TextDisabled("%s", std::string(recipe.library).c_str());
        library = recipe.library;
        const std::string name = fmt::format("like:{}/{}", recipe.library, recipe.function);
        if (ImGui::Selectable(name.c_str(), name == text)) text = name;
        gui::tooltip(recipe.call);
        gui::note(fmt::format("{}:{}", id, name));
    }
    ImGui::EndCombo();
    return ended;
}

// True if Enter has ended a field.
bool explain_choices(ExplainUi& ui) {
    const float width = ImGui::GetContentRegionAvail().x;
    const int columns = width >= gui::px(820) ? 3 : width >= gui::px(500) ? 2 : 1;
    if (!ImGui::BeginTable("##recipes", columns, ImGuiTableFlags_NoSavedSettings)) return false;
    ImGui::TableNextColumn();
    bool ended = recipe_field("From", "explaining:from", ui.from);
    ImGui::TableNextColumn();
    ended = recipe_field("To", "explaining:to", ui.to) || ended;
    ImGui::TableNextColumn();
    const char* const tip = "Of the resized pictures: a factor, as in 0.5, or pixels, as in 224x224.";
    field_label("Size", tip);
    ended = ImGui::InputText("##explaining:size", &ui.size, ImGuiInputTextFlags_EnterReturnsTrue) || ended;
    gui::tooltip(tip);
    gui::note("explaining:size");
    ImGui::EndTable();
    return ended;
}

bool is_about(const AppState& state, const ExplainReport& report, const ExplainedPair& pair) {
    const Document* document = explained_document(state.scene);
    return report.found && document && document->image == report.image.lock() && pair.problem.empty() &&
           report.found->from.text == pair.from && report.found->to.text == pair.to && report.found->size == pair.size;
}

void explain_answer(AppState& state, const ExplainedPair& pair, bool current, bool ended) {
    const ExplainReport& report = state.report.explaining;
    const Document* document = explained_document(state.scene);
    if (state.report.background.dialog == Dialog::explaining) {
        background_progress(state);
        return sentence("Changing one ingredient at a time.", gui::colour::text);
    }
    {
        const gui::PrimaryButton primary(!current && pair.problem.empty());
        ImGui::BeginDisabled(!pair.problem.empty());
        const bool pressed = ImGui::Button("Explain", {gui::px(120), 0});
        const bool asked = ended || entered(state.ui, Dialog::explaining);
        if (pressed || (asked && pair.problem.empty() && !current)) state.tasks.push_back(task::Explain{});
        ImGui::EndDisabled();
    }
    gui::tooltip(pair.problem.empty() ? fmt::format("Resize {} by both recipes and by what is between them. Enter.",
                                                    document ? document->title() : "")
                                      : pair.problem);
    gui::note("explaining:explain");
    if (!pair.problem.empty()) return sentence(pair.problem, gui::colour::warning);
    if (!report.problem.empty()) return sentence(report.problem, gui::colour::warning);
    if (current) sentence(report.found->answer(), gui::colour::text);
    else if (report.found)
        sentence(fmt::format("The results below are for {} and {} at {}×{}: press Explain to update them.",
                             report.found->from.name(), report.found->to.name(), report.found->size.width,
                             report.found->size.height),
                 gui::colour::warning);
}

void ladder_row(const std::string& changed, const std::string& words, const Closeness* figures) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(changed.c_str());
    gui::note("explaining:step-" + changed);
    ImGui::TableNextColumn();
    gui::wrapped_text(words);
    ImGui::TableNextColumn();
    gui::number_at_right(figures ? psnr_text(figures->psnr) : "–");
    ImGui::TableNextColumn();
    gui::number_at_right(figures ? fmt::format("{:.3g}", figures->largest) : "–");
}

void ladder(const Explanation& found, float height) {
    if (!ImGui::BeginTable("##ladder", 4, study_table, {0, height})) return;
    ImGui::TableSetupColumn("ingredient", ImGuiTableColumnFlags_WidthFixed, gui::px(124));
    ImGui::TableSetupColumn("from → to", ImGuiTableColumnFlags_WidthStretch);
    for (const char* name : {"PSNR dB", "largest"})
        ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, gui::px(68));
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (const char* name : {"ingredient", "from → to"}) {
        ImGui::TableNextColumn();
        ImGui::TableHeader(name);
    }
    figures_heading("PSNR dB", "Of each step, to the picture before it.");
    figures_heading("largest", "The largest difference of each step, in levels; of floats, as a number.");
    for (const ExplainedStep& step : found.steps)
        ladder_row(std::string(name_of(step.changed)), fmt::format("{} → {}", step.from, step.to), &step.step);
    if (!found.steps.empty())
        ladder_row("all together", fmt::format("{} → {}", found.from.name(), found.to.name()),
                   &found.steps.back().from_start);
    ImGui::EndTable();
}

std::vector<ResizedPicture> rungs_of(const ExplainReport& report) {
    static_assert(std::size(ingredients) < size_t(max_panes), "each rung has a pane");
    const Explanation& found = *report.found;
    const ResizedSource first{.size = found.size, .recipe = found.from.text, .original = report.source};
    std::vector<ResizedPicture> rungs = {{first, found.from.name(), std::make_shared<const Image>(found.first)}};
    for (const ExplainedStep& step : found.steps) {
        ResizedSource source = first;
        source.towards = found.to.text;
        source.changed = name_of(step.changed);
        const bool last = &step == &found.steps.back();
        rungs.push_back({source, last ? found.to.name() : fmt::format("then {}", name_of(step.changed)),
                         std::make_shared<const Image>(step.picture)});
    }
    return rungs;
}

void explained(AppState& state, const ExplainReport& report, bool current) {
    const bool one_row = buttons_in_one_row();
    ladder(*report.found, height_above_rows(one_row ? 1 : 2));
    {
        const gui::PrimaryButton primary(current && !report.found->steps.empty());
        ImGui::BeginDisabled(report.found->steps.empty());
        if (ImGui::Button("Show as panes") || (current && entered(state.ui, Dialog::explaining))) {
            show_rungs(state, rungs_of(report));
            state.ui.dialogs.close(Dialog::explaining);
        }
        ImGui::EndDisabled();
    }
    gui::tooltip(
        "A pane for the first recipe and one for each step, with figures against the first; D shows the "
        "differences to it. Ctrl+Z brings your panes back. Enter.");
    gui::note("explaining:show");
    if (one_row) ImGui::SameLine(0, gui::px(24));
    ReportPath& to = state.ui.explaining.path;
    const std::string beside = path_beside(document_named(state.scene, report.source), "-explained.html");
    if (report_row("explaining", to, beside, study_forms))
        request_writing(state, to.text, task::SaveStudy{Dialog::explaining, to.text});
}

}  // namespace

void explaining(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::explaining)) return;
    const bool ended = explain_choices(state.ui.explaining);
    const ExplainedPair pair = explained_pair(state.scene, state.ui.explaining);
    const ExplainReport report = state.report.explaining;
    const bool current = is_about(state, report, pair);
    explain_answer(state, pair, current, ended);
    ImGui::Dummy({0, gui::px(2)});
    ImGui::BeginDisabled(!current || state.report.background.dialog == Dialog::explaining);
    if (report.found) explained(state, report, current);
    ImGui::EndDisabled();
    end_dialog();
}

}  // namespace texelscope::panels
