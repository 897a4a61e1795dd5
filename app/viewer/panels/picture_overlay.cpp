// Drawn over the picture, besides the label chips: the selected region, divider, minimap, the frame of the loupe.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/minimap.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

ImVec2 on_window(double x, double y) {
    const double ratio = gui::theme().pixel_ratio;
    return {float(x / ratio), float(y / ratio)};
}

namespace {

// The corners of a rectangle of samples, in the window.
void corners_of(const PixelRect& place, const Affine& affine, const Region& r, ImVec2 (&corners)[4]) {
    const Point points[4] = {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
    for (int i = 0; i < 4; ++i) {
        const Point p = apply_inverse(affine, points[i]);
        corners[i] = on_window(place.x + std::clamp(p.x + 0.5, -1e6, 1e6), place.y + std::clamp(p.y + 0.5, -1e6, 1e6));
    }
}

// The region is on the image and rotates with it.
void selection(const AppState& state, int pane, ImDrawList& draw) {
    Region r = *state.scene.selection;
    const PixelRect place = pane_rect(state, pane);
    if (shows_signal(state, pane)) {  // of no height: as tall as the window
        const double reach = (place.width + place.height) * pane_view(state, pane).scale;
        r.y0 = -reach;
        r.y1 = reach;
    }
    ImVec2 corners[4];
    corners_of(place, current_affine(state, pane), r, corners);
    draw.AddConvexPolyFilled(corners, 4, gui::packed(gui::colour::accent, 0.10f));
    draw.AddPolyline(corners, 4, gui::packed(gui::rgb(0x000000), 0.6f), ImDrawFlags_Closed, gui::px(3));
    draw.AddPolyline(corners, 4, gui::packed(gui::colour::accent), ImDrawFlags_Closed, gui::px(1));
}

// Draws diagonal lines within a convex shape and the window's rectangle from `low` to `high`.
void hatch(const ImVec2 (&corners)[4], ImVec2 low, ImVec2 high, ImDrawList& draw) {
    const float step = gui::px(8);
    for (float sum = std::floor((low.x + low.y) / step) * step; sum < high.x + high.y; sum += step) {
        ImVec2 ends[2];
        int found = 0;
        for (int i = 0; i < 4 && found < 2; ++i) {
            const ImVec2 &a = corners[i], &b = corners[(i + 1) % 4];
            const float from = a.x + a.y - sum, to = b.x + b.y - sum;
            if ((from < 0) == (to < 0)) continue;
            const float part = from / (from - to);
            ends[found++] = {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
        }
        if (found == 2) draw.AddLine(ends[0], ends[1], gui::packed(gui::colour::secondary), gui::px(1));
    }
}

// Hatches the area of samples that the file lacks.
void missing_part(const AppState& state, int pane, const PixelRect& clip, ImDrawList& draw) {
    const auto image = image_of(state, pane);
    if (!image || image->missing().empty() || acting_warp(state, pane).kind != Warp::Kind::none) return;
    const SampleRegion& m = image->missing();
    const double x = double(m.x) - 0.5, y = double(m.y) - 0.5;
    ImVec2 corners[4];
    corners_of(pane_rect(state, pane), shown_affine(state, pane), {x, y, x + m.width, y + m.height}, corners);
    draw.AddConvexPolyFilled(corners, 4, gui::packed(gui::colour::field));
    hatch(corners, on_window(clip.x, clip.y), on_window(clip.x + clip.width, clip.y + clip.height), draw);
}

void loupe_frame(const AppState& state, int pane, ImDrawList& draw) {
    const float radius = gui::px(UiState::loupe_radius);
    const PixelRect place = pane_rect(state, pane);
    const ImVec2 centre = on_window(place.x + state.pointer.x + 0.5, place.y + state.pointer.y + 0.5);
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

void divider(const AppState& state, ImDrawList& draw) {
    const PixelRect& picture = state.report.frame.picture;
    const int at = wipe_at(state);
    const bool lies = state.scene.wipe.horizontal;
    const ImVec2 a = lies ? on_window(picture.x, picture.y + at) : on_window(picture.x + at, picture.y);
    const ImVec2 b = lies ? on_window(picture.x + picture.width, picture.y + at)
                          : on_window(picture.x + at, picture.y + picture.height);
    draw.AddLine(a, b, gui::packed(gui::rgb(0x000000), 0.6f), gui::px(3));
    draw.AddLine(a, b, gui::packed(gui::colour::text), gui::px(1));
}

// The part of the image in view.
void minimap_frame(const AppState& state, ImDrawList& draw) {
    const auto minimap = minimap_of(state, gui::theme().scale * gui::theme().pixel_ratio);
    if (!minimap) return;
    const Extent image = image_extent(state, minimap->pane), output = output_extent(state, minimap->pane);
    const Affine affine = shown_affine(state, minimap->pane);
    const PixelRect& place = minimap->place;
    const ImVec2 low = on_window(place.x, place.y), high = on_window(place.x + place.width, place.y + place.height);
    ImVec2 corners[4];
    const Point points[4] = {{-0.5, -0.5},
                             {output.width - 0.5, -0.5},
                             {output.width - 0.5, output.height - 0.5},
                             {-0.5, output.height - 0.5}};
    for (int i = 0; i < 4; ++i) {
        const Point p = map_point(*minimap, image, apply(affine, points[i].x, points[i].y));
        corners[i] = on_window(p.x, p.y);
    }
    draw.PushClipRect(low, high, true);
    draw.AddPolyline(corners, 4, gui::packed(gui::rgb(0x000000), 0.7f), ImDrawFlags_Closed, gui::px(3));
    draw.AddPolyline(corners, 4, gui::packed(gui::colour::accent), ImDrawFlags_Closed, gui::px(1.5f));
    draw.PopClipRect();
    draw.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, gui::packed(gui::colour::line), 0, 0, gui::px(1));
}

void overlay_of(const AppState& state, int pane, const PixelRect& clip, ImDrawList& draw) {
    draw.PushClipRect(on_window(clip.x, clip.y), on_window(clip.x + clip.width, clip.y + clip.height));
    missing_part(state, pane, clip, draw);
    if (state.scene.selection) selection(state, pane, draw);
    if (state.ui.loupe && state.pointer.inside) loupe_frame(state, pane, draw);
    draw.PopClipRect();
}

// How the hidden panels come back, in the lower left corner. Returns the height that it takes there.
float panels_hint(const AppState& state, ImDrawList& draw) {
    const Action& panels = *find_action("window.panels");
    const std::string text = panels.shortcut_text() + " shows the panels";
    ImGui::PushFont(gui::theme().small);
    const float pad = gui::px(8), inset = gui::px(10), size = ImGui::GetFontSize(), height = size + gui::px(6);
    const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * pad;
    ImGui::PopFont();
    const PixelRect& picture = state.report.frame.picture;
    const ImVec2 low = on_window(picture.x, picture.y),
                 high = on_window(picture.x + picture.width, picture.y + picture.height);
    if (high.x - low.x < width + 2 * inset || high.y - low.y < gui::px(110)) return 0;
    const ImVec2 at{low.x + inset, high.y - inset - height};
    draw.AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::panel, 0.85f), gui::px(4));
    draw.AddText(gui::theme().small, size, {at.x + pad, at.y + gui::px(3)}, gui::packed(gui::colour::secondary),
                 text.c_str());
    return height + gui::px(6);
}

}  // namespace

ImVec2 in_lower_left(const AppState& state, const PixelRect& area, ImVec2 size, float taken) {
    const float ratio = gui::theme().pixel_ratio, inset = gui::px(10);
    ImVec2 at{float(area.x) / ratio + inset, float(area.y + area.height) / ratio - inset - taken - size.y};
    const auto stay_above = [&](const PixelRect& other) {
        const PixelRect place{int(at.x * ratio), int(at.y * ratio), int(size.x * ratio), int(size.y * ratio)};
        if (place.overlaps(other)) at.y = float(other.y) / ratio - size.y - inset;
    };
    stay_above(state.report.frame.messages);
    stay_above(state.report.frame.work);
    if (const auto minimap = minimap_of(state, gui::theme().scale * ratio)) stay_above(minimap->place);
    return at;
}

void picture_overlay(AppState& state) {
    if (state.report.frame.picture.empty()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const std::vector<int> panes = panes_in_view(state);
    const bool wipe = state.scene.arrangement == Arrangement::wipe && panes.size() > 1;
    for (const int pane : panes)
        if (image_of(state, pane)) overlay_of(state, pane, pane_clip(state, pane), draw);
    const LeftToLegend left = draw_chips(state, draw);
    if (wipe) divider(state, draw);
    minimap_frame(state, draw);
    const float hint = !state.ui.panels && !state.presenter.on ? panels_hint(state, draw) : 0;
    comparison_legend(state, draw, left, sharpening_sign(state, draw, hint));
    preparing_signs(state, draw);
    loading_sign(state, draw);
}

}  // namespace texelscope::panels
