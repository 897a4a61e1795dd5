// Drawn over the picture, besides the label chips: the selected region, divider, legend, minimap, the frame of the loupe.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/drawing/sheet_figures.h"
#include "app/picture/minimap.h"
#include "app/picture/pane_picture.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/state/readout_text.h"
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

// The region is on the image and rotates with it.
void selection(const AppState& state, int pane, ImDrawList& draw) {
    Region r = *state.scene.selection;
    const PixelRect place = pane_rect(state, pane);
    if (shows_signal(state, pane)) {  // of no height: as tall as the window
        const double reach = (place.width + place.height) * pane_view(state, pane).scale;
        r.y0 = -reach;
        r.y1 = reach;
    }
    const Affine affine = current_affine(state, pane);
    ImVec2 corners[4];
    const Point points[4] = {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
    for (int i = 0; i < 4; ++i) {
        const Point p = apply_inverse(affine, points[i]);
        corners[i] = on_window(place.x + std::clamp(p.x + 0.5, -1e6, 1e6), place.y + std::clamp(p.y + 0.5, -1e6, 1e6));
    }
    draw.AddConvexPolyFilled(corners, 4, gui::packed(gui::colour::accent, 0.10f));
    draw.AddPolyline(corners, 4, gui::packed(gui::rgb(0x000000), 0.6f), ImDrawFlags_Closed, gui::px(3));
    draw.AddPolyline(corners, 4, gui::packed(gui::colour::accent), ImDrawFlags_Closed, gui::px(1));
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

// What the hatching of a difference means; empty if nothing can be hatched.
std::string mask_words(const AppState& state, int pane) {
    const bool against_formula = state.scene.reference.kind == Reference::Kind::truth &&
                                 state.scene.panes[size_t(pane)].against == Pane::reference_pane;
    return against_formula ? "hatched: above Nyquist, not measured" : "";
}

// Where each channel of a colour picture shows its own difference, the bar has a stripe for each.
int legend_stripes(const AppState& state, int pane) {
    const auto image = image_of(state, pane);
    const int colours = image ? image->channels() - (image->alpha() != Alpha::none ? 1 : 0) : 1;
    const bool each = state.scene.difference.map == ColourMap::channels &&
                      state.scene.display.channel == ChannelView::all && colours == 3;
    return each ? 3 : 1;
}

// Of a level 0 … 255; of one channel, while the others agree, or −1: of all.
ImU32 legend_colour(const DifferenceSettings& d, int channel, int level) {
    if (channel < 0) return colour_table(d.map)[size_t(level)];
    const int rest = d.kind == DifferenceKind::signed_ ? 128 : 0;
    return IM_COL32(channel == 0 ? level : rest, channel == 1 ? level : rest, channel == 2 ? level : rest, 255);
}

// The colour bar of a difference, its ends labelled with their values.
void legend(const AppState& state, int pane, const PixelRect& clip, ImDrawList& draw) {
    const DifferenceSettings& d = state.scene.difference;
    const float ratio = gui::theme().pixel_ratio, pad = gui::px(8);
    const float bar = gui::px(196), line = gui::px(10), text = ImGui::GetFontSize();
    const std::string mask = mask_words(state, pane);
    const float width = std::max(bar, ImGui::CalcTextSize(mask.c_str()).x) + 2 * pad,
                height = line + (mask.empty() ? 1 : 2) * (text + gui::px(4)) + 2 * pad;
    ImVec2 at{float(clip.x) / ratio + gui::px(10), float(clip.y + clip.height) / ratio - height - gui::px(10)};
    const auto stay_above = [&](const PixelRect& other) {
        const PixelRect place{int(at.x * ratio), int(at.y * ratio), int(width * ratio), int(height * ratio)};
        if (place.overlaps(other)) at.y = float(other.y) / ratio - height - gui::px(10);
    };
    stay_above(state.report.frame.messages);
    if (const auto minimap = minimap_of(state, gui::theme().scale * ratio)) stay_above(minimap->place);
    if (float(clip.width) / ratio < width + gui::px(20) || float(clip.height) / ratio < height + gui::px(70)) return;
    draw.AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::panel, 0.92f), gui::px(5));
    const int stripes = legend_stripes(state, pane);
    constexpr int steps = 64;
    for (int stripe = 0; stripe < stripes; ++stripe)
        for (int i = 0; i < steps; ++i)
            draw.AddRectFilled(
                {at.x + pad + bar * float(i) / steps, at.y + pad + line * float(stripe) / float(stripes)},
                {at.x + pad + bar * float(i + 1) / steps, at.y + pad + line * float(stripe + 1) / float(stripes)},
                legend_colour(d, stripes == 1 ? -1 : stripe, i * 255 / (steps - 1)));
    const LegendText words = legend_text(d, value_scale(state, pane));
    const float y = at.y + pad + line + gui::px(4);
    draw.AddText({at.x + pad, y}, gui::packed(gui::colour::text), words.low.c_str());
    draw.AddText({at.x + pad + bar / 2 - gui::px(4), y}, gui::packed(gui::colour::text), words.middle.c_str());
    draw.AddText({at.x + pad + bar - ImGui::CalcTextSize(words.high.c_str()).x, y}, gui::packed(gui::colour::text),
                 words.high.c_str());
    draw.AddText({at.x + pad, y + text + gui::px(4)}, gui::packed(gui::colour::secondary), mask.c_str());
}

void overlay_of(const AppState& state, int pane, const PixelRect& clip, ImDrawList& draw) {
    draw.PushClipRect(on_window(clip.x, clip.y), on_window(clip.x + clip.width, clip.y + clip.height));
    if (state.scene.selection) selection(state, pane, draw);
    if (state.ui.loupe && state.pointer.inside) loupe_frame(state, pane, draw);
    const bool all = state.ui.panels;
    if (all && shows_difference(state, pane) && why_no_difference(state, pane).empty()) legend(state, pane, clip, draw);
    draw.PopClipRect();
}

// How the hidden panels come back, in the lower left corner.
void panels_hint(const AppState& state, ImDrawList& draw) {
    const Action& panels = *find_action("window.panels");
    const std::string text = panels.shortcut_text() + " shows the panels";
    ImGui::PushFont(gui::theme().small);
    const float pad = gui::px(8), inset = gui::px(10), size = ImGui::GetFontSize(), height = size + gui::px(6);
    const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * pad;
    ImGui::PopFont();
    const PixelRect& picture = state.report.frame.picture;
    const ImVec2 low = on_window(picture.x, picture.y),
                 high = on_window(picture.x + picture.width, picture.y + picture.height);
    if (high.x - low.x < width + 2 * inset || high.y - low.y < gui::px(110)) return;
    const ImVec2 at{low.x + inset, high.y - inset - height};
    draw.AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::panel, 0.85f), gui::px(4));
    draw.AddText(gui::theme().small, size, {at.x + pad, at.y + gui::px(3)}, gui::packed(gui::colour::secondary),
                 text.c_str());
}

}  // namespace

void picture_overlay(AppState& state) {
    if (state.report.frame.picture.empty()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const std::vector<int> panes = panes_in_view(state);
    const bool wipe = state.scene.arrangement == Arrangement::wipe && panes.size() > 1;
    for (const int pane : panes)
        if (image_of(state, pane)) overlay_of(state, pane, pane_clip(state, pane), draw);
    draw_chips(state, draw);
    if (wipe) divider(state, draw);
    minimap_frame(state, draw);
    if (!state.ui.panels && !state.presenter.on) panels_hint(state, draw);
}

}  // namespace texelscope::panels
