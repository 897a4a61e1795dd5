// The experiments window: the list, and the chosen one's question, options, progress and result.

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "app/files/test_images/test_images.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
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
        const bool last = &verdict == &result.verdicts.back();
        if (last || (&verdict)[1].why != verdict.why) gui::remark(verdict.why, false);
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
    const float height = std::clamp(ImGui::GetContentRegionAvail().y, gui::px(220), gui::px(340));
    for (const Plot& plot : result.plots) {
        ImGui::PushID(&plot);
        const std::string id = "##plot:experiment-" + plot.title;
        gui::plot_view(plot, {.id = id.c_str(), .zoom = experiments.zooms[plot.title], .height = height});
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
    gui::wrapped_text("Found with " + other, gui::colour::warning);
}

void save_row(AppState& state) {
    const std::string tip =
        "Either a single self-contained page (name.html), or a folder (name without extension) with the page plus "
        "every table, plot and picture as separate files.";
    std::string& path = state.ui.experiments.report_path;
    if (path.empty()) path = (folder_for_new_files(state) / "report.html").string();
    gui::label("Report", tip);
    const float button = gui::px(120);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gui::px(8));
    ImGui::InputText("##report", &path, ImGuiInputTextFlags_AutoSelectAll);
    gui::tooltip(tip);
    gui::note("experiment:report");
    ImGui::SameLine();
    ImGui::BeginDisabled(path.empty());
    if (ImGui::Button("Save", {button, 0})) request_writing(state, path, task::SaveExperiment{path});
    ImGui::EndDisabled();
    gui::tooltip("Save the report. An existing file is replaced only if you agree, and once the new one is complete.");
    gui::note("experiment:save");
}

// Results of the chosen experiment: verdicts, tables, plots, pictures, facts, and a button that saves them.
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

// Whether there is a result, and whether it agrees with the expectation.
const char* mark_of(const AppState& state, const Experiment& experiment) {
    const ExperimentsReport& report = state.report.experiments;
    if (state.report.background.name == experiment.name) return "…";
    const auto found = report.results.find(std::string(experiment.name));
    return found == report.results.end() ? "" : found->second->all_agree() ? "✓" : "≠";
}

void choose(ExperimentsUi& experiments, const Experiment& experiment) {
    experiments.chosen = experiment.name;
    experiments.tab = 0;
}

void choose_by_keys(UiState& ui) {
    const auto all = all_experiments();
    int choice = 0;
    for (size_t i = 0; i < all.size(); ++i)
        if (all[i].name == ui.experiments.chosen) choice = int(i);
    if (move_choice(ui, Dialog::experiments, choice, int(all.size()), int(all.size())))
        choose(ui.experiments, all[size_t(choice)]);
}

void list(AppState& state) {
    if (!ImGui::IsAnyItemActive()) choose_by_keys(state.ui);
    for (const Experiment& experiment : all_experiments()) {
        const std::string title(experiment.title);
        if (gui::list_row("", title.c_str(), mark_of(state, experiment),
                          state.ui.experiments.chosen == experiment.name))
            choose(state.ui.experiments, experiment);
        gui::tooltip(experiment.question);
        gui::note("experiment:" + std::string(experiment.name));
    }
}

// In a narrow window, above the chosen one, so that its fields have the whole width.
void short_list(AppState& state) {
    if (!ImGui::IsAnyItemActive()) choose_by_keys(state.ui);
    const Experiment& current = find_experiment(state.ui.experiments.chosen);
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (!gui::begin_combo("##experiment", std::string(current.title).c_str())) {
        gui::tooltip("The experiments; the arrow keys change it too.");
        gui::note("experiments");
        return;
    }
    for (const Experiment& experiment : all_experiments()) {
        const std::string title = fmt::format("{} {}", experiment.title, mark_of(state, experiment));
        if (ImGui::Selectable(title.c_str(), &experiment == &current)) choose(state.ui.experiments, experiment);
        gui::tooltip(experiment.question);
        gui::note("experiment:" + std::string(experiment.name));
    }
    ImGui::EndCombo();
}

std::string& option_text(ExperimentsUi& experiments, const Experiment& experiment, const ExperimentOption& option) {
    auto& texts = experiments.options[std::string(experiment.name)];
    return texts.try_emplace(std::string(option.name), std::string(option.standard)).first->second;
}

// The error in the text of an option; empty if there is none.
std::string problem_of(const Experiment& experiment, const ExperimentOption& option, const std::string& text) {
    try {
        ExperimentOptions(experiment.options).set(option.name, text);
    } catch (const UsageError& error) {
        return without_dashes(error.what());
    }
    return {};
}

// The open images, then the built-in ones.
void image_choice(const Scene& scene, std::string& text) {
    for (const Document& document : scene.documents) {
        if (document.is_file() && ImGui::Selectable(document.title().c_str(), text == document.source))
            text = document.source;
        if (document.is_file()) gui::tooltip(document.source);
    }
    ImGui::Separator();
    for (const TestImage& test : test_images()) {
        const std::string source = "@" + std::string(test.id);
        if (ImGui::Selectable(std::string(test.name).c_str(), text == source)) text = source;
        gui::tooltip(fmt::format("{}, {}×{}. {}", source, test.width, test.height, test.summary));
        gui::note("experiment-image:" + std::string(test.id));
    }
}

// Beside the field of an image: a list of those that are at hand.
void image_list(const Scene& scene, const std::string& name, std::string& text) {
    ImGui::SameLine(0, gui::px(4));
    ImGui::SetNextItemWidth(ImGui::GetFrameHeight());
    if (gui::begin_combo(("##list-" + name).c_str(), "")) {
        image_choice(scene, text);
        ImGui::EndCombo();
        return;
    }
    gui::tooltip("Choose an open image or a built-in one.");
    gui::note("experiment-images:" + name);
}

// True if the option is valid.
bool option_row(const Scene& scene, ExperimentsUi& experiments, const Experiment& experiment,
                const ExperimentOption& option) {
    std::string& text = option_text(experiments, experiment, option);
    const bool number = option.kind == ExperimentOption::Kind::integer || option.kind == ExperimentOption::Kind::real;
    const std::string tip =
        fmt::format("{}{}. Default: {}", option.meaning,
                    number ? fmt::format(", {} to {}", option.least, option.most) : "", option.standard);
    const std::string name(option.name);
    gui::label((char(std::toupper(static_cast<unsigned char>(name[0]))) + name.substr(1)).c_str(), tip);
    const bool standard = text == option.standard, image = option.kind == ExperimentOption::Kind::image;
    const float button = gui::px(80);
    const float list_button = image ? ImGui::GetFrameHeight() + gui::px(4) : 0;
    const float beside = standard ? 0 : button + gui::px(8),
                room = ImGui::GetContentRegionAvail().x - beside - list_button;
    ImGui::SetNextItemWidth(number ? std::min(gui::px(120), room) : room);
    if (number) ImGui::PushFont(gui::theme().mono);
    ImGui::InputText(("##" + name).c_str(), &text, number ? ImGuiInputTextFlags_AutoSelectAll : 0);
    if (number) ImGui::PopFont();
    const bool cut = ImGui::CalcTextSize(text.c_str()).x > ImGui::GetItemRectSize().x - gui::px(8);
    gui::tooltip(cut ? fmt::format("{}\n\n{}", text, tip) : tip);
    gui::note("experiment-option:" + name);
    if (image) image_list(scene, name, text);
    if (!option.unit.empty()) {
        ImGui::SameLine();
        ImGui::TextUnformatted(std::string(option.unit).c_str());
    }
    if (!standard) {
        ImGui::SameLine();
        ImGui::PushID(name.c_str());
        if (ImGui::Button("Reset", {button, 0})) text = option.standard;
        ImGui::PopID();
        gui::tooltip(fmt::format("Reset to {}", option.standard));
    }
    const std::string problem = problem_of(experiment, option, text);
    if (problem.empty()) return true;
    gui::wrapped_text(problem, gui::colour::error);
    return false;
}

void progress(AppState& state) {
    background_progress(state);
    const BackgroundReport& report = state.report.background;
    if (report.picture.name == 0 || report.name != state.ui.experiments.chosen) return;
    const float scale = std::min(gui::px(280), ImGui::GetContentRegionAvail().x) /
                        float(std::max(report.picture.width, report.picture.height));
    ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(report.picture.name)),
                 {float(report.picture.width) * scale, float(report.picture.height) * scale});
    gui::tooltip("The picture at this moment.");
}

void run_row(AppState& state, bool able) {
    ImGui::Dummy({0, gui::px(2)});
    if (state.report.background.running()) return progress(state);
    ImGui::BeginDisabled(!able);
    const bool entered =
        able && !ImGui::IsAnyItemActive() && key_pressed(state.ui, Dialog::experiments, ImGuiKey_Enter);
    {
        const gui::PrimaryButton primary;
        if (ImGui::Button("Run", {gui::px(120), 0}) || entered) state.tasks.push_back(task::RunExperiment{});
    }
    ImGui::EndDisabled();
    gui::tooltip("Run in the background (Enter). Close this window to keep working meanwhile.");
    gui::note("experiment:run");
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("on %s", state.machine.device.c_str());
    const ExperimentsReport& report = state.report.experiments;
    if (report.failed != state.ui.experiments.chosen) return;
    gui::wrapped_text(report.why, gui::colour::error);
    gui::note("experiment:failed");
}

void chosen(AppState& state) {
    const Experiment& experiment = find_experiment(state.ui.experiments.chosen);
    ImGui::PushFont(gui::theme().heading);
    gui::wrapped_text(std::string(experiment.question));
    ImGui::PopFont();
    gui::remark(experiment.expectation, false);
    gui::remark(fmt::format("Source: {}.", experiment.source), false);
    ImGui::Dummy({0, gui::px(4)});
    bool able = true;
    for (const ExperimentOption& option : experiment.options)
        able = option_row(state.scene, state.ui.experiments, experiment, option) && able;
    run_row(state, able);
    const auto found = state.report.experiments.results.find(state.ui.experiments.chosen);
    if (found == state.report.experiments.results.end()) return;
    ImGui::Dummy({0, gui::px(8)});
    experiment_result(state, *found->second);
}

}  // namespace

void experiments(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::experiments)) return;
    if (ImGui::GetContentRegionAvail().x >= gui::px(760)) {
        ImGui::BeginChild("##list", {gui::px(272), 0}, false, ImGuiWindowFlags_NavFlattened);
        list(state);
        ImGui::EndChild();
        ImGui::SameLine(0, gui::px(16));
    } else {
        short_list(state);
    }
    ImGui::BeginChild("##chosen", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
    chosen(state);
    ImGui::EndChild();
    end_dialog();
}

}  // namespace texelscope::panels
