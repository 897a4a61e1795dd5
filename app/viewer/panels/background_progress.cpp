#include "app/viewer/panels/background_progress.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void background_progress(AppState& state) {
    const BackgroundReport& report = state.report.background;
    const float button = gui::px(96), part = float(report.done) / float(std::max(report.total, 1));
    ImGui::ProgressBar(part, {ImGui::GetContentRegionAvail().x - button - gui::px(8), 0},
                       fmt::format("{:.0f} %", 100 * part).c_str());
    ImGui::SameLine();
    if (ImGui::Button("Cancel", {button, 0})) state.tasks.push_back(task::CancelBackground{});
    gui::tooltip("Stop after the current step; the partial result is discarded.");
    gui::note("background:cancel");
    gui::remark(fmt::format("{}: {}", report.title, report.words), false);
}

}  // namespace texelscope::panels
