#include "app/viewer/widgets/theme.h"

#include <cmath>

namespace texelscope::gui {

const Theme& theme() { return *static_cast<const Theme*>(ImGui::GetIO().UserData); }

float px(float units) { return std::round(units * theme().scale * theme().pixel_ratio) / theme().pixel_ratio; }

namespace {

void set_sizes(ImGuiStyle& style) {
    style.WindowPadding = {12, 12};
    style.FramePadding = {8, 3};
    style.ItemSpacing = {8, 4};
    style.ItemInnerSpacing = {8, 4};
    style.CellPadding = {4, 2};
    style.IndentSpacing = 16;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 12;
    style.WindowRounding = 6;
    style.PopupRounding = 6;
    style.ChildRounding = style.FrameRounding = 4;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 3;
    style.WindowTitleAlign = {0.0f, 0.5f};
    style.WindowMenuButtonPosition = ImGuiDir_None;
}

void set_colours(ImVec4* c) {
    using namespace colour;
    c[ImGuiCol_Text] = text;
    c[ImGuiCol_TextDisabled] = secondary;
    c[ImGuiCol_WindowBg] = c[ImGuiCol_MenuBarBg] = panel;
    c[ImGuiCol_ChildBg] = rgb(0, 0);
    c[ImGuiCol_PopupBg] = rgb(0x2b2e32);
    c[ImGuiCol_Border] = c[ImGuiCol_Separator] = line;
    c[ImGuiCol_FrameBg] = field;
    c[ImGuiCol_FrameBgHovered] = rgb(0x212327);
    c[ImGuiCol_FrameBgActive] = rgb(0x17191b);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(0x2b2e32);
    c[ImGuiCol_ScrollbarBg] = rgb(0, 0);
    c[ImGuiCol_ScrollbarGrab] = line;
    c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = rgb(0x52565c);
    c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrabActive] = accent;
    c[ImGuiCol_SliderGrab] = faded(accent, 0.45f);    // the number is drawn over it
    c[ImGuiCol_PlotHistogram] = faded(accent, 0.6f);  // as in sliders
    c[ImGuiCol_Button] = raised;
    c[ImGuiCol_ButtonHovered] = raised_hovered;
    c[ImGuiCol_ButtonActive] = line;
    c[ImGuiCol_Header] = faded(accent, 0.20f);
    c[ImGuiCol_HeaderHovered] = rgb(0xffffff, 0.07f);
    c[ImGuiCol_HeaderActive] = faded(accent, 0.30f);
    c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = accent;
    c[ImGuiCol_ResizeGrip] = rgb(0, 0);
    c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_ResizeGripActive] = line;
    c[ImGuiCol_TableHeaderBg] = panel;
    c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = line;
    c[ImGuiCol_TextSelectedBg] = faded(accent, 0.35f);
    c[ImGuiCol_NavHighlight] = accent;
}

}  // namespace

void set_style(const Theme& theme) {
    ImGuiStyle style;
    set_sizes(style);
    style.ScaleAllSizes(theme.scale);
    style.WindowBorderSize = style.PopupBorderSize = 1;
    style.ChildBorderSize = style.FrameBorderSize = 0;
    style.DisabledAlpha = 0.45f;
    set_colours(style.Colors);
    ImGui::GetStyle() = style;
    ImGui::GetIO().FontGlobalScale = 1 / theme.pixel_ratio;
}

}  // namespace texelscope::gui
