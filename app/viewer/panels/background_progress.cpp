#include "app/viewer/panels/background_progress.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void background_progress(AppState& state) {
    const BackgroundReport& report = state.report.background;
    const float button = gui::px(96), part = float(report.done) / float(std::max(report.total, 1));
    const std::string text =
        fmt::format("{:.0f} %  ·  {}{}{}", 100 * part, report.title, report.words.empty() ? "" : ": ", report.words);
    ImGui::ProgressBar(part, {ImGui::GetContentRegionAvail().x - button - gui::px(8), 0}, text.c_str());
    ImGui::SameLine();
    if (ImGui::Button("Cancel", {button, 0})) state.tasks.push_back(task::CancelBackground{});
    gui::tooltip("Stop after the current step.");
    gui::note("background:cancel");
}

}  // namespace texelscope::panels
