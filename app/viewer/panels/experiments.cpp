// The experiments window: the list, and the chosen one's question, options and progress.

#include "app/viewer/panels/experiments.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

bool begin(AppState& state) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(
        {std::min(gui::px(1040), screen.x - gui::px(24)), std::min(gui::px(700), screen.y - gui::px(48))},
        ImGuiCond_Appearing);
    ImGui::SetNextWindowSizeConstraints({gui::px(480), gui::px(320)}, screen);
    return ImGui::Begin("Experiments", &state.ui.experiments.open,
                        ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
}

// Whether there is a result, and whether it agrees with the expectation.
const char* mark_of(const AppState& state, const Experiment& experiment) {
    const ExperimentsReport& report = state.report.experiments;
    if (report.running == experiment.name) return "…";
    const auto found = report.results.find(std::string(experiment.name));
    return found == report.results.end() ? "" : found->second->all_agree() ? "✓" : "≠";
}

void list(AppState& state) {
    for (const Experiment& experiment : all_experiments()) {
        const std::string title(experiment.title);
        if (gui::list_row("", title.c_str(), mark_of(state, experiment),
                          state.ui.experiments.chosen == experiment.name)) {
            state.ui.experiments.chosen = experiment.name;
            state.ui.experiments.tab = 0;
        }
        gui::tooltip(experiment.question);
        gui::note("experiment:" + std::string(experiment.name));
    }
}

std::string& option_text(AppState& state, const Experiment& experiment, const ExperimentOption& option) {
    auto& texts = state.ui.experiments.options[std::string(experiment.name)];
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

// True if the option is valid.
bool option_row(AppState& state, const Experiment& experiment, const ExperimentOption& option) {
    std::string& text = option_text(state, experiment, option);
    const bool number = option.kind == ExperimentOption::Kind::integer || option.kind == ExperimentOption::Kind::real;
    const std::string tip =
        fmt::format("{}{}. Default: {}", option.meaning,
                    number ? fmt::format(", {} to {}", option.least, option.most) : "", option.standard);
    const std::string name(option.name);
    gui::label(name.c_str(), tip);
    const bool standard = text == option.standard;
    const float button = gui::px(80);
    const float room = ImGui::GetContentRegionAvail().x - button - gui::px(8);
    ImGui::SetNextItemWidth(number ? std::min(gui::px(120), room) : room);
    if (number) ImGui::PushFont(gui::theme().mono);
    ImGui::InputText(("##" + name).c_str(), &text, number ? ImGuiInputTextFlags_AutoSelectAll : 0);
    if (number) ImGui::PopFont();
    gui::tooltip(tip);
    gui::note("experiment-option:" + name);
    if (!standard) {
        ImGui::SameLine();
        ImGui::PushID(name.c_str());
        if (ImGui::Button("Reset", {button, 0})) text = option.standard;
        ImGui::PopID();
        gui::tooltip(fmt::format("Reset to {}", option.standard));
    }
    const std::string problem = problem_of(experiment, option, text);
    if (problem.empty()) return true;
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::error));
    ImGui::TextWrapped("%s", problem.c_str());
    ImGui::PopStyleColor();
    return false;
}

void progress(AppState& state) {
    const ExperimentsReport& report = state.report.experiments;
    const float button = gui::px(96);
    const std::string text = fmt::format("{:.0f} %", 100.0 * report.done / std::max(report.total, 1));
    ImGui::ProgressBar(float(report.done) / float(std::max(report.total, 1)),
                       {ImGui::GetContentRegionAvail().x - button - gui::px(8), 0}, text.c_str());
    ImGui::SameLine();
    if (ImGui::Button("Cancel", {button, 0})) state.tasks.push_back(task::CancelExperiment{});
    gui::tooltip("Stop after the current step; the partial result is discarded.");
    gui::note("experiment:cancel");
    gui::remark(fmt::format("{}: {}", find_experiment(report.running).title, report.words), false);
    if (report.picture.name == 0 || report.running != state.ui.experiments.chosen) return;
    const float side = std::min(gui::px(280), ImGui::GetContentRegionAvail().x);
    const float scale = side / float(std::max(report.picture.width, report.picture.height));
    ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(report.picture.name)),
                 {float(report.picture.width) * scale, float(report.picture.height) * scale});
    gui::tooltip("The picture at this moment.");
}

void run_row(AppState& state, bool able) {
    ImGui::Dummy({0, gui::px(2)});
    if (!state.report.experiments.running.empty()) return progress(state);
    ImGui::BeginDisabled(!able);
    if (ImGui::Button("Run", {gui::px(120), 0})) state.tasks.push_back(task::RunExperiment{});
    ImGui::EndDisabled();
    gui::tooltip("Run in the background; you can keep working in the window.");
    gui::note("experiment:run");
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("on %s", state.report.machine.device.c_str());
}

void chosen(AppState& state) {
    const Experiment& experiment = find_experiment(state.ui.experiments.chosen);
    const std::string question(experiment.question);
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextWrapped("%s", question.c_str());
    ImGui::PopFont();
    gui::remark(experiment.expectation, false);
    gui::remark(fmt::format("Source: {}.", experiment.source), false);
    ImGui::Dummy({0, gui::px(4)});
    bool able = true;
    for (const ExperimentOption& option : experiment.options) able = option_row(state, experiment, option) && able;
    run_row(state, able);
    const auto found = state.report.experiments.results.find(state.ui.experiments.chosen);
    if (found == state.report.experiments.results.end()) return;
    ImGui::Dummy({0, gui::px(8)});
    experiment_result(state, *found->second);
}

}  // namespace

void experiments(AppState& state) {
    if (!state.ui.experiments.open) return;
    if (begin(state)) {
        ImGui::BeginChild("##list", {gui::px(272), 0});
        list(state);
        ImGui::EndChild();
        ImGui::SameLine(0, gui::px(16));
        ImGui::BeginChild("##chosen", {0, 0});
        chosen(state);
        ImGui::EndChild();
    }
    ImGui::End();
}

}  // namespace texelscope::panels
