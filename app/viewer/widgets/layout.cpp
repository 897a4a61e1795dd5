#include "app/viewer/widgets/layout.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>
#include <imgui_internal.h>

namespace texelscope::gui {
namespace {

constexpr float messages_margin = 10;  // units

// In the middle of the lower edge of this area.
Box messages_box(const LayoutRequest& r, float left, float right, float top, float bottom) {
    const float margin = messages_margin * r.scale;
    const float height = std::min(r.messages_height, std::floor((bottom - top) / 2 - margin));
    if (height <= 0 || height < std::min(r.messages_height, r.row_height)) return {};
    const float width = std::min(r.messages_width, right - left - 2 * margin);
    if (width < 1) return {};
    const auto whole = [&](float length) { return std::round(length * r.pixel_ratio) / r.pixel_ratio; };
    return {whole((left + right - width) / 2), bottom - margin - height, width, height};
}

struct Sides {
    float panel = 0, dock = 0;  // widths; 0: none
    float sum() const { return panel + dock; }
};

// Narrowed, the plots first, so that the picture keeps half of the window as far as their least widths permit.
Sides narrowed(const LayoutRequest& r, Sides sides) {
    const auto yield = [&](float& width, float least) {
        const float excess = std::max(sides.sum() - r.width / 2, 0.0f);
        width -= std::clamp(width - least * r.scale, 0.0f, excess);
    };
    if (sides.dock > 0) yield(sides.dock, min_dock_width);
    if (sides.panel > 0) yield(sides.panel, min_panel_width);
    return sides;
}

// Without space for both, one is hidden. Plots, and a text to read, were opened on purpose: alone, they may take more
// than half of a small window.
Sides sides_of(const LayoutRequest& r, bool with_panel) {
    const float panel = with_panel ? std::max(r.panel_width, min_panel_width) * r.scale : 0,
                dock = r.dock_width > 0 ? std::max(r.dock_width, min_dock_width) * r.scale : 0;
    const float half = r.width / 2 + 0.5f, most = r.width - min_picture_width * r.scale;
    const Sides both = narrowed(r, {panel, dock}), only_panel = narrowed(r, {panel, 0}),
                only_dock = narrowed(r, {0, dock});
    if (both.sum() <= half) return both;
    const bool panel_fits = only_panel.panel <= (r.panel_first ? most : half), dock_fits = only_dock.dock <= most;
    if (panel > 0 && panel_fits && (r.panel_first || dock == 0 || !dock_fits)) return only_panel;
    return dock_fits ? only_dock : Sides{};
}

// With names, without them, or not at all: the picture keeps half of the window's height. 0: not at all.
float filmstrip_height_in(const LayoutRequest& r, float room) {
    for (const float height : {filmstrip_height, bare_filmstrip_height})
        if (room - height * r.scale >= r.height / 2)
            return std::floor(height * r.scale * r.pixel_ratio) / r.pixel_ratio;
    return 0;
}

constexpr float handle_width = 14, handle_height = 64;  // units

}  // namespace

Layout lay_out(const LayoutRequest& r) {
    Layout layout;
    float left = 0, top = 0, right = r.width, bottom = r.height;
    // A window too small for bars and panels shows only the picture.
    const bool has_room = r.height >= 6 * r.row_height && r.width >= min_picture_width * r.scale;
    const bool bars = has_room && r.panels && !r.presenting;
    if (bars) {
        layout.menu = {0, 0, r.width, r.row_height};
        layout.status = {0, r.height - r.row_height, r.width, r.row_height};
        top = r.row_height;
        bottom = layout.status.y;
        if (r.toolbar_height > 0 && r.height >= 16 * r.row_height) {  // a low window has no space for it
            layout.toolbar = {0, top, r.width, r.toolbar_height};
            top += r.toolbar_height;
        }
    }
    if (r.caption_height > 0 && has_room) {
        const float height = std::min(r.caption_height, std::round((bottom - top) * most_caption));
        bottom -= height;
        layout.caption = {0, bottom, r.width, height};
    }
    if (bars || (has_room && r.presenting)) {
        const Sides sides = sides_of(r, bars);
        const auto whole = [&](float length) { return std::floor(length * r.pixel_ratio) / r.pixel_ratio; };
        left = whole(sides.panel);
        right -= whole(sides.dock);
        if (left > 0) layout.panel = {0, top, left, bottom - top};
        if (sides.dock > 0) layout.dock = {right, top, r.width - right, bottom - top};
        if (bars && left == 0) {
            const float wide = std::max(r.panel_width, min_panel_width) * r.scale;
            const float width = r.panel_over ? whole(std::min(wide, right - 2 * handle_width * r.scale)) : 0;
            if (r.panel_over) layout.panel = {0, top, width, bottom - top};
            layout.handle = {width, (top + bottom - handle_height * r.scale) / 2, handle_width * r.scale,
                             handle_height * r.scale};
        }
    }
    if (const float height = bars && r.filmstrip ? filmstrip_height_in(r, bottom - top) : 0; height > 0) {
        bottom -= height;
        layout.filmstrip = {left, bottom, right - left, height};
    }
    const float below_dialog = bars ? layout.status.y : r.height;  // values and progress stay legible
    layout.messages =
        r.dialog ? messages_box(r, 0, r.width, top, below_dialog) : messages_box(r, left, right, top, bottom);
    const auto pixels = [&](float length) { return int(std::lround(length * r.pixel_ratio)); };
    layout.picture = {pixels(left), pixels(top), pixels(right) - pixels(left), pixels(bottom) - pixels(top)};
    layout.picture.width = with_parity_of(std::max(layout.picture.width, 0), r.image.width);
    layout.picture.height = with_parity_of(std::max(layout.picture.height, 0), r.image.height);
    return layout;
}

std::optional<Box> WayGiven::place(const Box& now, float highest, float lowest, bool messages, bool pointed) {
    const auto same = [](const Box& a, const Box& b) {
        return std::abs(a.x - b.x) < 1 && std::abs(a.y - b.y) < 1 && std::abs(a.width - b.width) < 1 &&
               std::abs(a.height - b.height) < 1;
    };
    const bool untouched = put_ && same(*put_, now);
    if (untouched && !messages && pointed) return {};
    if (!untouched) before_ = now;
    Box wanted = before_;
    if (messages) {
        wanted.height = std::min(wanted.height, std::max(lowest - highest, 1.0f));
        wanted.y = std::max(std::min(wanted.y, lowest - wanted.height), highest);
    }
    put_.reset();
    if (messages && !same(wanted, before_)) put_ = wanted;
    if (same(wanted, now)) return {};
    return wanted;
}

std::optional<Box> place_of_window(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    if (!window || !window->WasActive || window->Hidden) return {};
    return Box{window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
}

void raise_window(const char* title) {
    if (ImGuiWindow* window = ImGui::FindWindowByName(title); window && window->Active)
        ImGui::BringWindowToDisplayFront(window);
}

void raise_popups() {
    for (const ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack)
        if (popup.Window) ImGui::BringWindowToDisplayFront(popup.Window);
}

}  // namespace texelscope::gui
