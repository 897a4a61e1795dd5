// In a pane that the picture has left: which way it is.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/state/picture_place.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/panels/picture_overlay.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// A shaft with a head; `side`: its length.
void arrow_along(ImDrawList& draw, ImVec2 middle, float side, ImVec2 way, ImU32 ink) {
    const float half = side / 2, head = side * 0.36f;
    const ImVec2 across{-way.y, way.x}, tip{middle.x + way.x * half, middle.y + way.y * half},
        end{middle.x - way.x * half, middle.y - way.y * half}, neck{tip.x - way.x * head, tip.y - way.y * head};
    draw.AddLine(end, neck, ink, gui::px(2));
    draw.AddTriangleFilled(tip, {neck.x + across.x * head * 0.7f, neck.y + across.y * head * 0.7f},
                           {neck.x - across.x * head * 0.7f, neck.y - across.y * head * 0.7f}, ink);
}

void away_sign(AppState& state, int pane, const WayToPicture& way) {
    const double samples = way.length() * pane_view(state, pane).scale;
    const std::string words = fmt::format("The picture is {:.0f} samples away", std::max(std::round(samples), 1.0));
    const char* const what = "F, or a click, fits it into the window";
    const PixelRect clip = pane_clip(state, pane);
    const ImVec2 low = on_window(clip.x, clip.y), high = on_window(clip.x + clip.width, clip.y + clip.height),
                 pad{gui::px(12), gui::px(10)};
    const float side = gui::px(36), gap = gui::px(12), line = ImGui::GetTextLineHeightWithSpacing(),
                text = std::max(ImGui::CalcTextSize(words.c_str()).x, ImGui::CalcTextSize(what).x);
    const bool room = high.x - low.x > side + gap + text + 2 * pad.x + gui::px(8);  // for the words
    const ImVec2 size{side + 2 * pad.x + (room ? gap + text : 0), std::max(side, 2 * line) + 2 * pad.y};
    if (high.x - low.x < size.x || high.y - low.y < size.y) return;
    const ImVec2 at{std::round((low.x + high.x - size.x) / 2), std::round((low.y + high.y - size.y) / 2)};
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin(fmt::format("##away-{}", pane).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNav);
    if (ImGui::InvisibleButton("##fit", size)) {
        state.scene.active = pane;
        fit(state);
    }
    const bool hovered = ImGui::IsItemHovered();
    gui::note(fmt::format("away:{}", pane_name(pane)));
    gui::tooltip("The view has left the picture, which is this way. Click to fit it into the window, as F does.");
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float length = float(std::max(way.length(), 1e-6));
    arrow_along(draw, {at.x + pad.x + side / 2, at.y + size.y / 2}, side,
                {float(way.x) / length, float(way.y) / length},
                gui::packed(hovered ? gui::colour::accent : gui::colour::text));
    if (room) {
        const ImVec2 first{at.x + pad.x + side + gap, at.y + size.y / 2 - line};
        draw.AddText(first, gui::packed(gui::colour::text), words.c_str());
        draw.AddText({first.x, first.y + line}, gui::packed(gui::colour::secondary), what);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace

void empty_panes(AppState& state) {
    if (state.places.picture.empty()) return;
    for (const int pane : panes_in_view(state.scene))
        if (const auto way = way_to_picture(state, pane)) away_sign(state, pane, *way);
}

}  // namespace texelscope::panels
