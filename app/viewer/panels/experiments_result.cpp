// The result of an experiment, on the screen.

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/text/glossary.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

const gui::Colour& colour_of(Verdict::Outcome outcome) {
    static constexpr gui::Colour agrees = gui::rgb(0x2fd0a5);
    switch (outcome) {
        case Verdict::Outcome::agrees: return agrees;
        case Verdict::Outcome::differs: return gui::colour::warning;
        case Verdict::Outcome::open: break;
    }
    return gui::colour::secondary;
}

void verdicts(const ExperimentResult& result) {
    const float left = ImGui::GetCursorPosX() + gui::px(80);
    for (const Verdict& verdict : result.verdicts) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour_of(verdict.outcome)));
        ImGui::TextUnformatted(std::string(name_of(verdict.outcome)).c_str());
        ImGui::PopStyleColor();
        ImGui::SameLine(left);
        ImGui::BeginGroup();
        gui::wrapped_text(verdict.expected);
        gui::wrapped_text("Found: " + verdict.found);
        gui::remark(verdict.why, false);
        ImGui::EndGroup();
        ImGui::Dummy({0, gui::px(2)});
    }
}

void cell(const ResultCell& value, const ResultColumn& column) {
    const std::string text = cell_text(value, column);
    if (std::holds_alternative<std::string>(value)) ImGui::TextUnformatted(text.c_str());
    else gui::number_at_right(text);
}

// Explained if the glossary knows the word.
void headings(const ResultTable& table) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (size_t c = 0; c < table.columns.size(); ++c) {
        const ResultColumn& column = table.columns[c];
        const bool figures = std::any_of(table.rows.begin(), table.rows.end(), [c](const std::vector<ResultCell>& row) {
            return std::holds_alternative<double>(row[c]);
        });
        ImGui::TableNextColumn();
        if (figures) gui::heading_at_right(heading(column).c_str());
        else ImGui::TableHeader(heading(column).c_str());
        gui::note(fmt::format("experiment:column:{}:{}", c, heading(column)));
        if (const GlossaryEntry* entry = find_term(column.name)) gui::tooltip(entry->meaning);
    }
}

void table(const ResultTable& table) {
    const int columns = int(table.columns.size());
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextUnformatted(table.title.c_str());
    ImGui::PopFont();
    const float height = std::min(float(table.rows.size() + 2) * ImGui::GetFrameHeight() + gui::px(12), gui::px(360));
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollX |
                                      ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                      ImGuiTableFlags_NoSavedSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(gui::px(8), ImGui::GetStyle().CellPadding.y));
    if (ImGui::BeginTable(table.title.c_str(), columns, flags, {0, height})) {
        ImGui::TableSetupScrollFreeze(1, 1);
        for (const ResultColumn& column : table.columns) ImGui::TableSetupColumn(heading(column).c_str());
        headings(table);
        for (const auto& row : table.rows) {
            ImGui::TableNextRow();
            for (int c = 0; c < columns; ++c) {
                ImGui::TableNextColumn();
                cell(row[size_t(c)], table.columns[size_t(c)]);
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    if (!table.note.empty()) gui::remark(table.note, false);
    ImGui::Dummy({0, gui::px(8)});
}

void plots(ExperimentsUi& experiments, const ExperimentResult& result) {
    for (const Plot& plot : result.plots) {
        ImGui::PushID(&plot);
        const std::string id = "##plot:experiment-" + plot.title;
        gui::plot_view(plot, {.id = id.c_str(), .zoom = experiments.zooms[plot.title], .height = gui::px(340)});
        ImGui::PopID();
        ImGui::Dummy({0, gui::px(12)});
    }
}

void pictures(const ExperimentsReport& experiments, const ExperimentResult& result) {
    const auto& textures = experiments.textures;
    if (textures.size() != result.pictures.size()) return;  // with the next frame
    const float gap = gui::px(12), room = ImGui::GetContentRegionAvail().x;
    const int across = std::max(1, int((room + gap) / (gui::px(220) + gap)));
    const float width = (room - gap * float(across - 1)) / float(across);
    if (!ImGui::BeginTable("##pictures", across, ImGuiTableFlags_NoSavedSettings)) return;
    for (size_t k = 0; k < textures.size(); ++k) {
        ImGui::TableNextColumn();
        const float shown = std::min(width, ImGui::GetContentRegionAvail().x);
        ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(textures[k].name)),
                     {shown, shown * float(textures[k].height) / float(textures[k].width)});
        gui::wrapped_text(result.pictures[k].title);
        gui::remark(result.pictures[k].caption, false);
        ImGui::Dummy({0, gui::px(6)});
    }
    ImGui::EndTable();
}

void facts(const ExperimentResult& result) {
    for (const auto& [name, value] : result.facts) {
        gui::label(name.c_str(), "");
        ImGui::AlignTextToFramePadding();
        gui::wrapped_text(value);
    }
}

// The options of the result that differ from the fields: "found with turns 36".
void found_with(const ExperimentsUi& experiments, const ExperimentResult& result) {
    const auto chosen = experiments.options.find(result.experiment);
    if (chosen == experiments.options.end()) return;
    std::string other;
    for (const auto& [name, value] : result.facts)
        if (const auto field = chosen->second.find(name); field != chosen->second.end() && field->second != value)
            other += fmt::format("{}{} {}", other.empty() ? "" : ", ", name, value);
    if (other.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::warning));
    gui::wrapped_text("Found with " + other);
    ImGui::PopStyleColor();
}

void save_row(AppState& state) {
    const std::string tip =
        "Either a single self-contained page (name.html), or a folder (name without extension) with the page plus "
        "every table, plot and picture as separate files.";
    gui::label("Report", tip);
    const float button = gui::px(120);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gui::px(8));
    ImGui::InputText("##report", &state.ui.experiments.report_path, ImGuiInputTextFlags_AutoSelectAll);
    gui::tooltip(tip);
    gui::note("experiment:report");
    ImGui::SameLine();
    ImGui::BeginDisabled(state.ui.experiments.report_path.empty());
    if (ImGui::Button("Save", {button, 0}))
        request_writing(state, state.ui.experiments.report_path,
                        task::SaveExperiment{state.ui.experiments.report_path});
    ImGui::EndDisabled();
    gui::tooltip("Save the report. An existing file is replaced only if you agree, and once the new one is complete.");
    gui::note("experiment:save");
}

}  // namespace

void experiment_result(AppState& state, const ExperimentResult& result) {
    save_row(state);
    found_with(state.ui.experiments, result);
    const std::array<gui::Segment, 5> segments = {
        {{"Verdicts", "What was expected, what was found, and why."},
         {"Plots", "Plots of the result. The wheel zooms, dragging pans, a double click resets."},
         {"Tables", "All figures, in tables."},
         {"Pictures", "Pictures of the result.", !result.pictures.empty()},
         {"Facts", "Machine, program, options, source, command."}}};
    const int clicked = gui::segmented("experiment", segments, state.ui.experiments.tab);
    if (clicked >= 0) state.ui.experiments.tab = clicked;
    ImGui::Dummy({0, gui::px(4)});
    switch (state.ui.experiments.tab) {
        case 1: plots(state.ui.experiments, result); break;
        case 2:
            for (const ResultTable& one : result.tables) table(one);
            break;
        case 3: pictures(state.report.experiments, result); break;
        case 4: facts(result); break;
        default: verdicts(result);
    }
}

}  // namespace texelscope::panels
