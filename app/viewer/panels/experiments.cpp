// The experiments window: the list, and the chosen one's question, options and progress.

#include "app/viewer/panels/dialogs.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/files/test_images/test_images.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

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
    std::string title = name;
    title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
    gui::label(title.c_str(), tip);
    const bool standard = text == option.standard;
    const float button = gui::px(80);
    const bool image = option.kind == ExperimentOption::Kind::image;
    const float list_button = image ? ImGui::GetFrameHeight() + gui::px(4) : 0;
    const float beside = standard ? 0 : button + gui::px(8);
    const float room = ImGui::GetContentRegionAvail().x - beside - list_button;
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
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::error));
    gui::wrapped_text(problem);
    ImGui::PopStyleColor();
    return false;
}

void progress(AppState& state) {
    background_progress(state);
    const BackgroundReport& report = state.report.background;
    if (report.picture.name == 0 || report.name != state.ui.experiments.chosen) return;
    const float side = std::min(gui::px(280), ImGui::GetContentRegionAvail().x);
    const float scale = side / float(std::max(report.picture.width, report.picture.height));
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
}

void chosen(AppState& state) {
    const Experiment& experiment = find_experiment(state.ui.experiments.chosen);
    const std::string question(experiment.question);
    ImGui::PushFont(gui::theme().heading);
    gui::wrapped_text(question);
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
        ImGui::BeginChild("##list", {gui::px(272), 0});
        list(state);
        ImGui::EndChild();
        ImGui::SameLine(0, gui::px(16));
    } else {
        short_list(state);
    }
    ImGui::BeginChild("##chosen", {0, 0});
    chosen(state);
    ImGui::EndChild();
    end_dialog();
}

}  // namespace texelscope::panels
