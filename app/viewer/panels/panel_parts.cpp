#include "app/viewer/panels/panel_parts.h"

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
    if (gui::row_button(text, of, tip)) action->run(state);
    ImGui::EndDisabled();
    gui::note(action_id);
}

}  // namespace texelscope::panels
