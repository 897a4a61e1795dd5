// What lies over the picture: the label chip, the selected region, the frame of the loupe.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/widgets.h"
#include "app/panels/panels.h"
#include "app/spec_text.h"

namespace texelscope::panels {
namespace {

ImVec2 window_point(const AppState& state, double px, double py) {
    const float ratio = gui::theme().pixel_ratio;
    return {(float(state.report.picture.x) + float(px)) / ratio, (float(state.report.picture.y) + float(py)) / ratio};
}

void chip(const AppState& state, ImDrawList& draw) {
    const Scene& scene = state.scene;
    const bool difference = scene.show == Show::difference && !state.pointer.reference;
    const std::string badge = difference ? "A−B" : pane_name(scene.active);
    std::string text = shown_words(state);
    if (difference) {
        const std::string more = sampling_words(state);
        text = fmt::format("difference × {:.0f}{}{}", scene.difference_gain, more.empty() ? "" : " · ", more);
    }
    if (state.pointer.reference) text = "reference · " + text;
    const gui::Colour& ink = difference ? gui::colour::text : gui::pane_colour(scene.active);
    const float pad = gui::px(8), gap = gui::px(8), height = ImGui::GetFontSize() + gui::px(8);
    const float badge_width = ImGui::CalcTextSize(badge.c_str()).x + 2 * pad,
                text_width = ImGui::CalcTextSize(text.c_str()).x;
    const ImVec2 at{window_point(state, 0, 0).x + gui::px(12), window_point(state, 0, 0).y + gui::px(12)};
    const ImVec2 end{at.x + badge_width + gap + text_width + pad, at.y + height};
    if (end.x > window_point(state, state.report.picture.width, 0).x) return;
    const float y = at.y + (height - ImGui::GetFontSize()) / 2;
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.92f), gui::px(5));
    draw.AddRectFilled(at, {at.x + badge_width, end.y}, gui::packed(ink), gui::px(5), ImDrawFlags_RoundCornersLeft);
    draw.AddText(gui::theme().heading, ImGui::GetFontSize(), {at.x + pad, y}, gui::packed(gui::rgb(0x16181a)),
                 badge.c_str());
    draw.AddText({at.x + badge_width + gap, y}, gui::packed(gui::colour::text), text.c_str());
}

// The region lies on the image: turned with it.
void selection(const AppState& state, ImDrawList& draw) {
    Region r = *state.scene.selection;
    if (shows_signal(state)) {  // of no height: as tall as the window
        const double reach = (state.report.picture.width + state.report.picture.height) * shown_view(state).scale;
        r.y0 = -reach;
        r.y1 = reach;
    }
    const Affine affine = shown_affine(state);
    ImVec2 corners[4];
    const Point points[4] = {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
    for (int i = 0; i < 4; ++i) {
        const Point p = apply_inverse(affine, points[i]);
        corners[i] = window_point(state, std::clamp(p.x + 0.5, -1e6, 1e6), std::clamp(p.y + 0.5, -1e6, 1e6));
    }
    draw.AddConvexPolyFilled(corners, 4, gui::packed(gui::colour::accent, 0.10f));
    draw.AddPolyline(corners, 4, gui::packed(gui::rgb(0x000000), 0.6f), ImDrawFlags_Closed, gui::px(3));
    draw.AddPolyline(corners, 4, gui::packed(gui::colour::accent), ImDrawFlags_Closed, gui::px(1));
}

void loupe_frame(const AppState& state, ImDrawList& draw) {
    const float radius = gui::px(96);
    const ImVec2 centre = window_point(state, state.pointer.x + 0.5, state.pointer.y + 0.5);
    draw.AddRect({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius},
                 gui::packed(gui::rgb(0x000000), 0.7f), 0, 0, gui::px(3));
    draw.AddRect({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius},
                 gui::packed(gui::colour::text), 0, 0, gui::px(1));
    const std::string text = fmt::format("× {}", state.ui.loupe_magnification);
    const float width = ImGui::CalcTextSize(text.c_str()).x + gui::px(12), height = ImGui::GetFontSize() + gui::px(4);
    const ImVec2 at{centre.x - radius, centre.y + radius - height};
    draw.AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::panel, 0.92f));
    draw.AddText({at.x + gui::px(6), at.y + gui::px(2)}, gui::packed(gui::colour::text), text.c_str());
}

}  // namespace

void picture_overlay(AppState& state) {
    const PixelRect& picture = state.report.picture;
    if (picture.empty() || image_extent(state).empty()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    draw.PushClipRect(window_point(state, 0, 0), window_point(state, picture.width, picture.height));
    if (state.scene.selection) selection(state, draw);
    if (state.ui.loupe && state.pointer.inside) loupe_frame(state, draw);
    if (state.ui.panels) chip(state, draw);
    draw.PopClipRect();
}

}  // namespace texelscope::panels
