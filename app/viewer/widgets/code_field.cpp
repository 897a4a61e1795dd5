#include "app/viewer/widgets/code_field.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {

bool code_field(const char* id, std::string& text, float height, const std::set<int>& marked) {
    ImGui::PushFont(theme().mono);
    const int lines = 1 + int(std::count(text.begin(), text.end(), '\n'));
    const float line = ImGui::GetTextLineHeight(), pad = ImGui::GetStyle().FramePadding.y;
    const float column = ImGui::CalcTextSize("0").x * float(std::max<size_t>(2, std::to_string(lines).size())) + px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + column, at.y});
    const bool changed = ImGui::InputTextMultiline(id, &text, {-FLT_MIN, height}, ImGuiInputTextFlags_AllowTabInput);
    // The field scrolls in a window of its own.
    const ImGuiWindow* const window = ImGui::GetCurrentWindow();
    const float scrolled = window->DC.ChildWindows.empty() ? 0 : window->DC.ChildWindows.back()->Scroll.y;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.PushClipRect(at, {at.x + column, at.y + height}, true);
    const int first = int(scrolled / line), last = std::min(lines, first + int(height / line) + 2);
    for (int i = first; i < last; ++i) {
        const std::string number = std::to_string(i + 1);
        const bool wrong = marked.count(i + 1) > 0;
        const float width = ImGui::CalcTextSize(number.c_str()).x;
        draw.AddText({at.x + column - px(8) - width, at.y + pad + float(i) * line - scrolled},
                     packed(wrong ? colour::warning : colour::secondary), number.c_str());
    }
    draw.PopClipRect();
    ImGui::PopFont();
    return changed;
}

}  // namespace texelscope::gui
