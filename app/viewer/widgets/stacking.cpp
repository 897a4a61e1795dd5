#include "app/viewer/widgets/stacking.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace texelscope::gui {

std::optional<Box> place_of_window(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    if (!window || !window->WasActive || window->Hidden) return {};
    return Box{window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
}

void raise_window(const char* title) {
    if (ImGuiWindow* window = ImGui::FindWindowByName(title); window && window->Active)
        ImGui::BringWindowToDisplayFront(window);
}

void raise_popups() {
    for (const ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack)
        if (popup.Window) ImGui::BringWindowToDisplayFront(popup.Window);
}

}  // namespace texelscope::gui
