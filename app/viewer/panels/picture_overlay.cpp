// Drawn over the picture, besides the label chips: the selected region, divider, minimap, the frame of the loupe.

#include "app/viewer/panels/picture_overlay.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/theme.h"
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
    const auto image = image_of(state.scene, pane);
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
    const PixelRect& picture = state.places.picture;
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
    const PixelRect& place = minimap->place;
    const ImVec2 low = on_window(place.x, place.y), high = on_window(place.x + place.width, place.y + place.height);
    constexpr double least = 6;  // units of the frame that are always seen
    ImVec2 corners[4];
    const auto seen =
        seen_on_minimap(state, *minimap, least * double(gui::theme().scale) * double(gui::theme().pixel_ratio));
    for (size_t i = 0; i < seen.size(); ++i) corners[i] = on_window(seen[i].x, seen[i].y);
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
float panels_hint(const Places& places, ImDrawList& draw) {
    const Action& panels = *find_action("window.panels");
    const std::string text = panels.shortcut_text() + " shows the panels";
    ImGui::PushFont(gui::theme().small);
    const float pad = gui::px(8), inset = gui::px(10), size = ImGui::GetFontSize(), height = size + gui::px(6);
    const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * pad;
    ImGui::PopFont();
    const PixelRect& picture = places.picture;
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
    stay_above(state.places.messages);
    stay_above(state.places.work);
    if (const auto minimap = minimap_of(state, gui::theme().scale * ratio)) stay_above(minimap->place);
    return at;
}

void picture_overlay(AppState& state) {
    if (state.places.picture.empty()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const std::vector<int> panes = panes_in_view(state.scene);
    const bool wipe = state.scene.arrangement == Arrangement::wipe && panes.size() > 1;
    for (const int pane : panes)
        if (image_of(state.scene, pane)) overlay_of(state, pane, pane_clip(state, pane), draw);
    const LeftToLegend left = draw_chips(state, draw);
    if (wipe) divider(state, draw);
    minimap_frame(state, draw);
    const float hint = !state.ui.panels && !state.presenter.on ? panels_hint(state.places, draw) : 0;
    comparison_legend(state, draw, left, sharpening_sign(state, draw, hint));
    preparing_signs(state, draw);
    loading_sign(state, draw);
}

PaneMap::PaneMap(const AppState& state, int pane, const Affine& affine)
    : affine_(affine), rect_(pane_rect(state, pane)), ratio_(gui::theme().pixel_ratio) {
    const double scale = std::max(std::hypot(affine.xx, affine.xy), std::hypot(affine.yx, affine.yy));
    sample_size_ = float(1 / (scale * double(ratio_)));
    reach_ = (rect_.width + rect_.height) * scale;
    PixelRect seen = rect_;
    if (state.scene.arrangement == Arrangement::wipe && state.scene.panes.size() > 1) {
        int& start = state.scene.wipe.horizontal ? seen.y : seen.x;
        int& length = state.scene.wipe.horizontal ? seen.height : seen.width;
        const int divider = wipe_at(state);
        if (pane != 0) start += divider;
        length = std::max(pane == 0 ? std::min(divider, length) : length - divider, 0);
    }
    clip_low_ = {float(seen.x) / ratio_, float(seen.y) / ratio_};
    clip_high_ = {float(seen.x + seen.width) / ratio_, float(seen.y + seen.height) / ratio_};
    if (const auto minimap = minimap_of(state, gui::theme().scale * ratio_)) {
        const PixelRect& r = minimap->place;
        covers_.push_back({{float(r.x) / ratio_, float(r.y) / ratio_},
                           {float(r.x + r.width) / ratio_, float(r.y + r.height) / ratio_}});
    }
    if (state.ui.loupe && state.pointer.inside) {
        const ImVec2 c = at_pixel(state.pointer.x, state.pointer.y);
        const float radius = gui::px(UiState::loupe_radius);
        covers_.push_back({{c.x - radius, c.y - radius}, {c.x + radius, c.y + radius}});
    }
}

std::vector<ScreenBox> free_parts(ImVec2 low, ImVec2 high, const std::vector<ScreenBox>& covers) {
    std::vector<ScreenBox> parts = {{low, high}};
    for (const auto& [a, b] : covers) {
        std::vector<ScreenBox> left;
        const auto keep = [&](float x0, float y0, float x1, float y1) {
            if (x1 > x0 && y1 > y0) left.push_back({{x0, y0}, {x1, y1}});
        };
        for (const auto& [l, h] : parts) {
            const float x0 = std::clamp(a.x, l.x, h.x), x1 = std::clamp(b.x, l.x, h.x), y0 = std::clamp(a.y, l.y, h.y),
                        y1 = std::clamp(b.y, l.y, h.y);
            keep(l.x, l.y, h.x, y0);
            keep(l.x, y0, x0, y1);
            keep(x1, y0, h.x, y1);
            keep(l.x, y1, h.x, h.y);
        }
        parts = std::move(left);
    }
    return parts;
}

ImVec2 PaneMap::at(Point sample) const {
    const Point pixel = apply_inverse(affine_, sample);
    return at_pixel(pixel.x, pixel.y);
}

ImVec2 PaneMap::at_pixel(double i, double j) const {
    const auto kept = [](double v) { return std::isfinite(v) ? std::clamp(v, -1e5, 1e5) : 0.0; };
    return {float((rect_.x + kept(i + 0.5)) / double(ratio_)), float((rect_.y + kept(j + 0.5)) / double(ratio_))};
}

std::array<ImVec2, 4> PaneMap::corners(double x0, double y0, double x1, double y1) const {
    return {at({x0, y0}), at({x1, y0}), at({x1, y1}), at({x0, y1})};
}

SampleRange PaneMap::in_view(Extent image) const {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (const double i : {-0.5, rect_.width - 0.5})
        for (const double j : {-0.5, rect_.height - 0.5}) {
            const Point p = apply(affine_, i, j);
            low_x = std::min(low_x, p.x);
            high_x = std::max(high_x, p.x);
            low_y = std::min(low_y, p.y);
            high_y = std::max(high_y, p.y);
        }
    const auto index = [](double v, int n) { return int(std::clamp(v, -1.0, double(n))); };
    return {std::max(0, index(std::floor(low_x + 0.5), image.width)),
            std::max(0, index(std::floor(low_y + 0.5), image.height)),
            std::min(image.width - 1, index(std::ceil(high_x - 0.5), image.width)),
            std::min(image.height - 1, index(std::ceil(high_y - 0.5), image.height))};
}

// In a pane that the picture has left: which way it is.

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
