#include "app/viewer/panels/panel_parts.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void action_button(AppState& state, const char* text, std::string_view action_id, int of) {
    const Action* action = find_action(action_id);
    if (!action) return;
    const std::string keys = action->shortcut_text();
    const std::string tip = keys.empty() ? action->tooltip : fmt::format("{}\n{}", action->tooltip, keys);
    ImGui::BeginDisabled(!action->is_enabled(state));
    if (gui::row_button(text, of, tip)) action->perform(state);
    ImGui::EndDisabled();
    gui::note(action_id);
}

bool pixels_field(const char* id, int& value, const char* tip) {
    const int before = value;
    ImGui::SetNextItemWidth(gui::px(88));
    ImGui::PushFont(gui::theme().mono);
    if (ImGui::InputInt(id, &value, 0, 0)) value = std::clamp(value, 1, 65536);
    ImGui::PopFont();
    gui::tooltip(tip);
    gui::note(id + 2);
    return value != before;
}

gui::CodeErrors code_errors(const std::vector<WeightProblem>& problems) {
    gui::CodeErrors errors;
    for (const WeightProblem& problem : problems) errors.push_back({problem.line, problem.column, problem.sentence});
    return errors;
}

void problems_of_all(const std::vector<WeightProblem>& problems, const std::string& name) {
    for (const WeightProblem& problem : problems) {
        if (problem.line > 0) continue;
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::warning));
        ImGui::TextWrapped("%s", problem.sentence.c_str());
        ImGui::PopStyleColor();
        gui::note(name);
    }
}

}  // namespace texelscope::panels
