// Sliders: a number that is dragged, or typed after Ctrl + click.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // ClearActiveID, TempInputIsActive

#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {
namespace {

// Draws the number of the slider that was drawn last at the end that its knob is far from; without its unit if there is no
// space for both. `part`: where the knob is, from 0 to 1.
void number_beside_knob(const std::string& name, const std::string& text, double part) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float pad = ImGui::GetStyle().FramePadding.x, knob = ImGui::GetStyle().GrabMinSize;
    const float middle = low.x + knob / 2 + float(part) * (high.x - low.x - knob);
    const bool at_left = part > 0.5;
    const float room = (at_left ? middle - low.x : high.x - middle) - knob / 2 - pad - px(2);
    std::string shown = text;
    if (shown.starts_with('-')) shown.replace(0, 1, "−");
    const size_t unit = shown.rfind(' ');
    if (ImGui::CalcTextSize(shown.c_str()).x > room && shown.find_first_of("0123456789") < unit)
        shown = shown.substr(0, unit);
    const float width = ImGui::CalcTextSize(shown.c_str()).x;
    const ImVec2 at{at_left ? low.x + pad : high.x - pad - width, low.y + ImGui::GetStyle().FramePadding.y};
    ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
    if (ControlLog* log = theme().control_log) {
        log->push_back({name + ":number", {at.x, at.y, width, ImGui::GetFontSize()}});
        log->push_back({name + ":knob", {middle - knob / 2, low.y, knob, high.y - low.y}});
    }
}

// ImGui's slider, whose own number would be under the knob: it is not seen, unless it is typed.
template <class Number>
bool slider(const char* id, ImGuiDataType type, Number& value, Number low, Number high, const char* format,
            ImGuiSliderFlags flags) {
    const bool typed = ImGui::TempInputIsActive(ImGui::GetID(id));
    ImGui::PushFont(theme().mono);
    if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
    const bool changed = ImGui::SliderScalar(id, type, &value, &low, &high, format, flags);
    if (!typed) ImGui::PopStyleColor();
    if (!ImGui::TempInputIsActive(ImGui::GetItemID())) {
        char text[64];
        std::snprintf(text, sizeof text, format, value);
        const double from = double(low), to = double(high), at = std::clamp(double(value), from, to);
        const double part = flags & ImGuiSliderFlags_Logarithmic ? std::log(at / from) / std::log(to / from)
                                                                 : (at - from) / (to - from);
        number_beside_knob(id + 2, text, part);
    }
    ImGui::PopFont();
    return changed;
}

// A reset arrow: three quarters of a circle, its head at the upper left.
void turn_back(ImVec2 middle, ImU32 ink) {
    constexpr float pi = 3.14159265f;
    const float r = px(4.5f), head = px(3);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.PathArcTo(middle, r, -0.75f * pi, 0.8f * pi, 20);
    draw.PathStroke(ink, 0, px(1.5f));
    const ImVec2 tip{middle.x + r * std::cos(-0.75f * pi), middle.y + r * std::sin(-0.75f * pi)};
    draw.AddTriangleFilled({tip.x - head, tip.y + head * 0.9f}, {tip.x - head * 0.6f, tip.y - head},
                           {tip.x + head, tip.y + head * 0.4f}, ink);
}

}  // namespace

bool slider_float(const char* id, float& value, float low, float high, const char* format, bool logarithmic) {
    const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    return slider(id, ImGuiDataType_Float, value, low, high, format, flags);
}

bool slider_int(const char* id, int& value, int low, int high, const char* format) {
    return slider(id, ImGuiDataType_S32, value, low, high, format, ImGuiSliderFlags_AlwaysClamp);
}

bool tuned_slider(const char* id, double& value, const Tuned& tuned) {
    const float button = ImGui::GetFrameHeight(), gap = px(4);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
    float shown = float(value);
    const double reach =
        tuned.reach > 0 ? std::max(tuned.reach, std::abs(value - tuned.standard)) : tuned.high - tuned.low;
    bool changed = slider(id, ImGuiDataType_Float, shown, float(std::max(tuned.low, tuned.standard - reach)),
                          float(std::min(tuned.high, tuned.standard + reach)), tuned.format, ImGuiSliderFlags_None);
    shown = std::clamp(shown, float(tuned.low), float(tuned.high));
    // Rounded to the decimals shown: 0.3, not 0.30000001.
    if (changed) value = std::round(double(shown) * 1e6) / 1e6;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0) && !ImGui::GetIO().WantTextInput) {
        ImGui::ClearActiveID();  // else it would follow the mouse
        value = tuned.standard;
        changed = true;
    }
    tooltip(tuned.tip);
    note(id + 2);
    ImGui::SameLine(0, gap);
    const bool away = value != tuned.standard;
    ImGui::PushID(id);
    ImGui::BeginDisabled(!away);
    if (ImGui::Button("##standard", {button, button})) {
        value = tuned.standard;
        changed = true;
    }
    ImGui::EndDisabled();
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    turn_back({(a.x + b.x) / 2, (a.y + b.y) / 2}, packed(away ? colour::text : colour::mark));
    tooltip(fmt::format("Reset to the default, {:.6g}; so does a double click on the slider.", tuned.standard));
    note(std::string(id + 2) + ":standard");
    ImGui::PopID();
    return changed;
}

}  // namespace texelscope::gui
