#include "app/viewer/widgets/code_field.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {
namespace {

// Line number `line`, from 1 on, without its end.
std::string_view line_of(std::string_view text, int line) {
    for (; line > 1 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

float width_of(std::string_view text) { return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x; }

// Over the text, in the field's own window.
void mark(const ImGuiWindow& field, float scrolled, std::string_view text, const std::map<int, int>& marked) {
    const float height = ImGui::GetTextLineHeight(), right = field.InnerRect.Max.x;
    const ImVec2 origin = {field.Pos.x + ImGui::GetStyle().FramePadding.x - scrolled,
                           field.Pos.y + ImGui::GetStyle().FramePadding.y - field.Scroll.y};
    field.DrawList->PushClipRect(field.InnerRect.Min, field.InnerRect.Max, true);
    for (const auto& [number, column] : marked) {
        if (number < 1) continue;
        const std::string_view line = line_of(text, number);
        const float top = origin.y + float(number - 1) * height;
        const float from = origin.x + width_of(line.substr(0, size_t(std::max(column - 1, 0))));
        const float to = std::max(origin.x + width_of(line), from + width_of("0"));
        field.DrawList->AddRectFilled({field.InnerRect.Min.x, top}, {right, top + height},
                                      packed(colour::warning, 0.12f));
        field.DrawList->AddRectFilled({from, top + height - px(1.5f)}, {to, top + height}, packed(colour::warning));
    }
    field.DrawList->PopClipRect();
}

}  // namespace

float code_height(int lines) {
    ImGui::PushFont(theme().mono);
    const float height = ImGui::GetTextLineHeight() * float(lines) + 2 * ImGui::GetStyle().FramePadding.y;
    ImGui::PopFont();
    return height;
}

bool code_field(const char* id, std::string& text, float height, const std::map<int, int>& marked) {
    ImGui::PushFont(theme().mono);
    const int lines = 1 + int(std::count(text.begin(), text.end(), '\n'));
    const float line = ImGui::GetTextLineHeight(), pad = ImGui::GetStyle().FramePadding.y;
    const float column = ImGui::CalcTextSize("0").x * float(std::to_string(lines).size()) + px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + column, at.y});
    const bool changed = ImGui::InputTextMultiline(id, &text, {-FLT_MIN, height}, ImGuiInputTextFlags_AllowTabInput);
    // The field scrolls in a window of its own.
    ImGuiWindow* const window = ImGui::GetCurrentWindow();
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
    // Sideways it scrolls by itself, while it has the keyboard.
    const ImGuiID field = window->GetID(id);
    const ImGuiInputTextState* const typing = ImGui::GetActiveID() == field ? ImGui::GetInputTextState(field) : nullptr;
    if (!window->DC.ChildWindows.empty())
        mark(*window->DC.ChildWindows.back(), typing ? typing->ScrollX : 0, text, marked);
    ImGui::PopFont();
    return changed;
}

}  // namespace texelscope::gui
