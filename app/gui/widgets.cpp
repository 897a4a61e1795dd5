#include "app/gui/widgets.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/actions.h"

namespace texelscope::gui {

float column() { return px(96); }

void tooltip(std::string_view text) {
    if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(10), px(8)));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(px(340));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void note(AppState& state, std::string_view id) {
    if (!state.report.note_controls || !ImGui::IsItemVisible()) return;
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    state.report.controls.push_back({std::string(id), {a.x, a.y, b.x - a.x, b.y - a.y}});
}

bool section(const char* title, bool open_at_first) {
    ImGui::PushStyleColor(ImGuiCol_Header, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, px(5)));
    ImGui::PushFont(theme().heading);
    ImGui::Dummy({0, px(2)});
    const bool open = ImGui::CollapsingHeader(title, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopFont();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    return open;
}

void label(const char* text, std::string_view tip) {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour::secondary));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    tooltip(tip);
    ImGui::SameLine(column() + ImGui::GetStyle().WindowPadding.x);
    ImGui::SetNextItemWidth(-FLT_MIN);
}

void remark(std::string_view text, bool in_column) {
    if (in_column) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + column());
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour::secondary));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void number(std::string_view text, const ImVec4& text_colour) {
    ImGui::PushFont(theme().mono);
    ImGui::PushStyleColor(ImGuiCol_Text, text_colour);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void elided(const std::string& text, float width) {
    const auto fits = [&](const std::string& s) { return ImGui::CalcTextSize(s.c_str()).x <= width; };
    if (fits(text)) {
        ImGui::TextUnformatted(text.c_str());
        return;
    }
    // Cut between whole UTF-8 characters: never before a continuation byte.
    const auto begins = [&](size_t i) { return i >= text.size() || (text[i] & 0xC0) != 0x80; };
    std::string shown = "…";
    for (size_t keep = 1; 2 * keep < text.size(); ++keep) {
        if (!begins(keep) || !begins(text.size() - keep)) continue;
        const std::string longer = text.substr(0, keep) + "…" + text.substr(text.size() - keep);
        if (!fits(longer)) break;
        shown = longer;
    }
    ImGui::TextUnformatted(shown.c_str());
    tooltip(text);
}

bool input_double(const char* id, double& value, const char* format) {
    // A number half typed is not yet meant: it waits here until the field is left. ImGui has one active field at a time.
    static struct { ImGuiID field; double value; } typed{0, 0};
    const ImGuiID field = ImGui::GetID(id);
    double edited = typed.field == field ? typed.value : value;
    ImGui::PushFont(theme().mono);
    if (ImGui::InputDouble(id, &edited, 0, 0, format)) typed = {field, edited};
    ImGui::PopFont();
    if (!ImGui::IsItemDeactivated() || typed.field != field) return false;
    typed.field = 0;
    if (!std::isfinite(edited) || edited == value) return false;
    value = edited;
    return true;
}

bool slider_float(const char* id, float& value, float low, float high, const char* format, bool logarithmic) {
    ImGui::PushFont(theme().mono);
    const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    const bool changed = ImGui::SliderFloat(id, &value, low, high, format, flags);
    ImGui::PopFont();
    return changed;
}

bool slider_int(const char* id, int& value, int low, int high, const char* format) {
    ImGui::PushFont(theme().mono);
    const bool changed = ImGui::SliderInt(id, &value, low, high, format, ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopFont();
    return changed;
}

int segmented(const char* id, std::span<const Segment> segments, int chosen, AppState* noted) {
    int clicked = -1;
    ImGui::PushID(id);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(2), 0));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(2), ImGui::GetStyle().FramePadding.y));
    const float all = ImGui::GetContentRegionAvail().x, gaps = px(2) * float(segments.size() - 1);
    const float width = std::floor((all - gaps) / float(segments.size()));
    for (size_t i = 0; i < segments.size(); ++i) {
        const bool on = int(i) == chosen;
        if (i) ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Button, on ? ImVec4(rgb(0x4aa8ff, 0.28f)) : ImVec4(colour::field));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, on ? ImVec4(rgb(0x4aa8ff, 0.36f)) : ImVec4(colour::raised));
        ImGui::PushStyleColor(ImGuiCol_Text, on ? ImVec4(colour::text) : ImVec4(rgb(0xc4c8cd)));
        ImGui::BeginDisabled(!segments[i].enabled);
        if (ImGui::Button(segments[i].text, ImVec2(width, 0))) clicked = int(i);
        ImGui::EndDisabled();
        if (noted) note(*noted, std::string(id) + ":" + segments[i].text);
        ImGui::PopStyleColor(3);
        tooltip(segments[i].tip);
    }
    ImGui::PopStyleVar(2);
    ImGui::PopID();
    return clicked;
}

bool row_button(const char* text, int of, std::string_view tip) {
    const float gaps = ImGui::GetStyle().ItemSpacing.x * float(of - 1);
    const float start = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    const bool clicked = ImGui::Button(text, ImVec2(std::floor((start - gaps) / float(of)), 0));
    tooltip(tip);
    return clicked;
}

void action_button(AppState& state, const char* text, std::string_view action_id, int of) {
    const Action* action = find_action(action_id);
    if (!action) return;
    const std::string keys = action->shortcut_text();
    const std::string tip = keys.empty() ? action->tooltip : fmt::format("{}\n{}", action->tooltip, keys);
    ImGui::BeginDisabled(!action->is_enabled(state));
    if (row_button(text, of, tip)) action->run(state);
    ImGui::EndDisabled();
    note(state, action_id);
}

}  // namespace texelscope::gui
