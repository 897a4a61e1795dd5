#include "app/viewer/widgets/stacking.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace texelscope::gui {

void raise_window(const char* title) {
    if (ImGuiWindow* window = ImGui::FindWindowByName(title); window && window->Active)
        ImGui::BringWindowToDisplayFront(window);
}

void raise_popups() {
    for (const ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack)
        if (popup.Window) ImGui::BringWindowToDisplayFront(popup.Window);
}

}  // namespace texelscope::gui
