// The dialog "How was this made?": the pair of images, the answer, the recipes by rank, and what was measured.

#include "app/viewer/panels/dialogs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// One line, whole in the tooltip.
void shortened_line(const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TextUnformatted(gui::shortened(text, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopStyleColor();
    gui::tooltip(text);
}

// What is said behind the answer: a few lines, the rest scrolls.
void further_findings(const std::vector<std::string>& findings) {
    if (findings.size() < 2) return;
    const size_t most = gui::tall(560) ? 5 : 2;
    const float line = ImGui::GetTextLineHeightWithSpacing();
    ImGui::BeginChild("##findings", {0, float(std::min(findings.size() - 1, most)) * line});
    for (size_t k = 1; k < findings.size(); ++k) shortened_line(findings[k]);
    ImGui::EndChild();
}

// The open images, and how to open another one.
void pair_image(AppState& state, const char* label, const char* id, std::string& source, const char* tip) {
    field_label(label, tip);
    const Document* chosen = document_named(state.scene, source);
    if (!gui::begin_combo((std::string("##") + id).c_str(), chosen ? chosen->title().c_str() : "none")) {
        gui::tooltip(chosen ? fmt::format("{}\n\n{}", tip, chosen->source) : tip);
        gui::note(id);
        return;
    }
    for (const Document* document : resizable_documents(state.scene)) {
        const std::string size =
            document->image ? fmt::format("  {}×{}", document->image->width(), document->image->height()) : "";
        const std::string row = fmt::format("{}{}##{}", document->title(), size, document->source);
        if (ImGui::Selectable(row.c_str(), document == chosen)) {
            source = document->source;
            state.ui.identifying.chosen = true;
        }
        gui::tooltip(document->source);
        gui::note(fmt::format("{}:{}", id, document->title()));
    }
    if (ImGui::Selectable("Open a file…")) find_action("file.open")->perform(state);
    gui::note(std::string(id) + "-open");
    ImGui::EndCombo();
}

void pair_choice(AppState& state) {
    IdentifyUi& ui = state.ui.identifying;
    const int columns = ImGui::GetContentRegionAvail().x >= gui::px(500) ? 2 : 1;
    if (!ImGui::BeginTable("##pair", columns, ImGuiTableFlags_NoSavedSettings)) return;
    ImGui::TableNextColumn();
    pair_image(state, "Original", "identifying:original", ui.original, "The picture before it was resized.");
    ImGui::TableNextColumn();
    pair_image(state, "Result", "identifying:result", ui.result, "What the original became, of another size.");
    ImGui::EndTable();
}

bool is_about(const AppState& state, const IdentifyReport& report) {
    const IdentifyUi& ui = state.ui.identifying;
    const Document *original = document_named(state.scene, ui.original),
                   *result = document_named(state.scene, ui.result);
    return report.found && original && result && ui.original == report.original && ui.result == report.result &&
           original->image == report.original_image.lock() && result->image == report.result_image.lock();
}

void identify_row(AppState& state, const std::string& why_not, bool current) {
    {
        const gui::PrimaryButton primary(!current && why_not.empty());
        ImGui::BeginDisabled(!why_not.empty());
        const bool pressed = ImGui::Button("Identify", {gui::px(120), 0});
        if (pressed || (why_not.empty() && !current && entered(state.ui, Dialog::identifying)))
            state.tasks.push_back(task::Identify{});
        ImGui::EndDisabled();
    }
    gui::tooltip(why_not.empty()
                     ? "Every recipe resizes the original; each is compared with the result. Where none fits, "
                       "the resizer is measured. Enter."
                     : why_not);
    gui::note("identifying:identify");
    ImGui::SameLine();
    IdentifyUi& ui = state.ui.identifying;
    if (ImGui::Button("Swap")) {
        std::swap(ui.original, ui.result);
        ui.chosen = true;
    }
    gui::tooltip("The result becomes the original, and the original the result.");
    gui::note("identifying:swap");
}

void identify_answer(AppState& state) {
    const IdentifyReport& report = state.report.identifying;
    const std::string why_not = why_no_pair(state.scene, state.ui.identifying);
    const bool current = is_about(state, report);
    if (state.report.background.dialog == Dialog::identifying) {
        background_progress(state);
        return sentence("Comparing the result with what each recipe makes of the original.", gui::colour::text);
    }
    identify_row(state, why_not, current);
    if (!why_not.empty()) return sentence(why_not, gui::colour::warning);
    if (!report.problem.empty()) return sentence(report.problem, gui::colour::warning);
    if (current) {
        sentence(report.found->findings.front(), gui::colour::text);
        further_findings(report.found->findings);
    } else if (report.found) {
        sentence(fmt::format("The results below are for {} and {}: press Identify to update them.",
                             report.found->original_name, report.found->result_name),
                 gui::colour::warning);
    }
}

// The picture by a recipe beside the result.
void show(AppState& state, const RankedRecipe& ranked) {
    const IdentifyReport& report = state.report.identifying;
    const Identification& found = *report.found;
    const double range = found.type == SampleType::u8 ? 255 : found.type == SampleType::u16 ? 65535 : 1;
    ResizedSource made{.size = found.placement.whole, .recipe = ranked.recipe.text, .original = report.original};
    if (found.cropped) made.part = {found.placement.x, found.placement.y, found.result.width, found.result.height};
    show_beside_result(state, report.result, {made, ranked.recipe.name()}, ranked.closeness.largest / range);
}

bool is_shown(const Scene& scene, const IdentifyReport& report, const RankedRecipe& ranked) {
    return std::ranges::any_of(scene.panes, [&](const Pane& pane) {
        const auto made = parse_resized_source(pane.source);
        return made && made->recipe == ranked.recipe.text && made->towards.empty() && made->original == report.original;
    });
}

std::string tip_of(const RankedRecipe& ranked) {
    std::string tip = fmt::format("{}\n\nClick to show its picture beside the result, as the difference to it.",
                                  ranked.recipe.recipe->call);
    if (ranked.by_part) tip += "\n\nIts figures are from some of the pixels only: they were far enough off.";
    constexpr size_t most = 6;
    if (ranked.same.empty()) return tip;
    const auto some = std::span(ranked.same).first(std::min(most, ranked.same.size()));
    tip += fmt::format("\n\nThe same picture is made by {}", fmt::join(some, ", "));
    return tip + (ranked.same.size() > most ? fmt::format(" and {} more.", ranked.same.size() - most) : ".");
}

// Without space for all columns, the verdict and the mean are in the tooltip.
bool has_space_for_all() { return ImGui::GetContentRegionAvail().x >= gui::px(480); }

void ranking_row(AppState& state, const IdentifyReport& report, size_t place, bool all) {
    const RankedRecipe& ranked = report.found->ranked[place];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    std::string name = ranked.recipe.name();
    if (!ranked.same.empty()) name += fmt::format("  (and {} more)", ranked.same.size());
    const bool shown = is_shown(state.scene, report, ranked);
    name = gui::shortened(name, ImGui::GetContentRegionAvail().x - gui::px(shown ? 24 : 0));
    if (ImGui::Selectable(fmt::format("{}{}##{}", name, shown ? "  ✓" : "", place).c_str(), shown,
                          ImGuiSelectableFlags_SpanAllColumns))
        show(state, ranked);
    const std::string mean = fmt::format("{:.3g}", ranked.closeness.mean);
    std::string tip = tip_of(ranked);
    if (!all) tip += fmt::format("\n\nVerdict: {}; mean difference: {}.", name_of(ranked.match), mean);
    gui::tooltip(tip);
    gui::note("identifying:row-" + ranked.recipe.text);
    const double share = ranked_share(*report.found).percent(ranked);
    std::vector<std::string> figures = {fmt::format("{:.3g}", ranked.closeness.largest),
                                        std::isnan(share) ? "–" : fmt::format("{:.2f}", share)};
    if (all) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(name_of(ranked.match).data());
        figures.insert(figures.begin() + 1, mean);
    }
    for (const std::string& figure : figures) {
        ImGui::TableNextColumn();
        gui::number_at_right(figure);
    }
}

void ranking(AppState& state, const IdentifyReport& report, float height) {
    const bool all = has_space_for_all();
    if (!ImGui::BeginTable(all ? "##ranking" : "##narrow ranking", all ? 5 : 3, study_table, {0, height})) return;
    ImGui::TableSetupColumn("recipe", ImGuiTableColumnFlags_WidthStretch);
    if (all) ImGui::TableSetupColumn("verdict", ImGuiTableColumnFlags_WidthFixed, gui::px(112));
    const RankedShare share = ranked_share(*report.found);
    for (const char* name : {"largest", "mean", share.name})
        if (all || name != std::string_view("mean"))
            ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed,
                                    std::max(gui::px(64), ImGui::CalcTextSize(name).x + gui::px(2)));
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    ImGui::TableHeader("recipe");
    gui::note("identifying:recipes");
    if (all) {
        ImGui::TableNextColumn();
        ImGui::TableHeader("verdict");
    }
    const bool levels = report.found->ranked.front().closeness.levels;
    figures_heading("largest",
                    levels ? "The largest difference of a sample, in levels." : "The largest difference of a sample.");
    if (all) figures_heading("mean", levels ? "The mean difference, in levels." : "The mean difference.");
    figures_heading(share.name, share.tip);
    ImGuiListClipper clipper;
    clipper.Begin(int(report.found->ranked.size()));
    while (clipper.Step())
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) ranking_row(state, report, size_t(k), all);
    ImGui::EndTable();
}

void ranking_or_response(AppState& state, const IdentifyReport& report, float below) {
    bool& response = state.ui.identifying.response;
    const bool measured = report.found->measured && !report.report->plots.empty();
    if (measured) {
        const std::array<gui::Segment, 2> segments = {
            {{"Recipes", "All recipes, the nearest first."},
             {"Measured weights",
              "The weights by distance that make the result of the original, over the nearest known "
              "weight function."}}};
        const int clicked = gui::segmented("identifying:part", segments, response ? 1 : 0, gui::px(260));
        if (clicked >= 0) response = clicked == 1;
    }
    const float height = height_above_rows(below);
    if (!measured || !response) return ranking(state, report, height);
    ImGui::BeginChild("##response", {0, height});
    gui::plot_view(report.report->plots.front(),
                   {.id = "##plot:measured",
                    .zoom = state.ui.identifying.zoom,
                    .height = ImGui::GetContentRegionAvail().y,
                    .tip = "The weights by the distance of a sample from the position that a pixel reads. The wheel "
                           "zooms, dragging pans."});
    ImGui::EndChild();
}

void identified_buttons(AppState& state, const IdentifyReport& report, bool current) {
    const RankedRecipe& best = report.found->ranked.front();
    {
        const gui::PrimaryButton primary(current);
        if (ImGui::Button("Show both") || (current && entered(state.ui, Dialog::identifying))) {
            show(state, best);
            state.ui.dialogs.close(Dialog::identifying);
        }
    }
    gui::tooltip(
        fmt::format("Pane A: the result. Pane B: the original by {}, as the difference to it. Ctrl+Z brings your "
                    "panes back. Enter.",
                    best.recipe.name()));
    gui::note("identifying:show-both");
    if (!report.found->measured) return;
    const Measured& measured = *report.found->measured;
    ImGui::SameLine();
    if (ImGui::Button("Use as a method"))
        use_measured_weights(state, report.original, measured.weights, measured.x.stretch > 1);
    gui::tooltip("The active pane shows the original with the measured weights, as a custom weight function.");
    gui::note("identifying:use");
}

void identified(AppState& state, const IdentifyReport& report, bool current) {
    const bool one_row = buttons_in_one_row();
    ranking_or_response(state, report, one_row ? 1 : 2);
    identified_buttons(state, report, current);
    if (one_row) ImGui::SameLine(0, gui::px(24));
    ReportPath& to = state.ui.identifying.path;
    const std::string beside = path_beside(document_named(state.scene, report.result), "-made-by.html");
    if (report_row("identifying", to, beside, study_forms))
        request_writing(state, to.text, task::SaveStudy{Dialog::identifying, to.text});
}

}  // namespace

void identifying(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::identifying)) return;
    follow_pair(state);
    pair_choice(state);
    identify_answer(state);
    ImGui::Dummy({0, gui::px(2)});
    const IdentifyReport report = state.report.identifying;
    const bool current = is_about(state, report);
    ImGui::BeginDisabled(!current || state.report.background.dialog == Dialog::identifying);
    if (report.found) identified(state, report, current);
    ImGui::EndDisabled();
    end_dialog();
}

}  // namespace texelscope::panels
