#include "app/viewer/widgets/layout.h"

#include <algorithm>
#include <cmath>

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
    }
    if (r.caption_height > 0 && has_room) {
        const float height = std::min(r.caption_height, std::round((bottom - top) * most_caption));
        bottom -= height;
        layout.caption = {0, bottom, r.width, height};
    }
    if (bars || (has_room && r.presenting)) {
        const float most = r.width - min_picture_width * r.scale;
        if (bars && most >= min_panel_width * r.scale) {
            left = std::clamp(r.panel_width, min_panel_width, most / r.scale) * r.scale;
            left = std::round(left * r.pixel_ratio) / r.pixel_ratio;
            layout.panel = {0, top, left, bottom - top};
        }
        // A wide panel shrinks in favour of the plots; if that is not enough, it is hidden.
        const auto lacks = [&] {
            return r.dock_width > 0 ? min_dock_width * r.scale - (r.width - left - min_picture_width * r.scale) : 0;
        };
        if (const float lack = lacks(); lack > 0 && left - lack >= min_panel_width * r.scale)
            layout.panel.width = left = std::floor((left - lack) * r.pixel_ratio) / r.pixel_ratio;
        if (lacks() > 0 && !r.panel_first) {
            left = 0;
            layout.panel = {};
        }
        const float room = r.width - left - min_picture_width * r.scale;
        if (r.dock_width > 0 && room >= min_dock_width * r.scale) {
            right -= std::clamp(r.dock_width, min_dock_width, room / r.scale) * r.scale;
            right = std::round(right * r.pixel_ratio) / r.pixel_ratio;
            layout.dock = {right, top, r.width - right, bottom - top};
        }
    }
    layout.messages = messages_box(r, left, right, top, bottom);
    const auto pixels = [&](float length) { return int(std::lround(length * r.pixel_ratio)); };
    layout.picture = {pixels(left), pixels(top), pixels(right) - pixels(left), pixels(bottom) - pixels(top)};
    layout.picture.width = with_parity_of(std::max(layout.picture.width, 0), r.image.width);
    layout.picture.height = with_parity_of(std::max(layout.picture.height, 0), r.image.height);
    return layout;
}

}  // namespace texelscope::gui
