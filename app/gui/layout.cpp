#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>

namespace texelscope::gui {
namespace {

// The centre of the output reads the centre of the image. Only where both sides are even or both odd do whole samples
// fall on whole pixels at 100 %; else every picture at 100 % would be interpolated half-way between samples.
int with_parity_of(int length, int image_length) {
    return length > 1 && image_length > 0 && (length - image_length) % 2 != 0 ? length - 1 : length;
}

}  // namespace

Layout lay_out(const LayoutRequest& r) {
    Layout layout;
    float left = 0, top = 0, bottom = r.height;
    // A window too small for bars and panels is all picture.
    if (r.panels && r.height >= 6 * r.row_height && r.width >= min_picture_width * r.scale) {
        layout.menu = {0, 0, r.width, r.row_height};
        layout.status = {0, r.height - r.row_height, r.width, r.row_height};
        top = r.row_height;
        bottom = layout.status.y;
        const float most = r.width - min_picture_width * r.scale;
        if (most >= min_panel_width * r.scale) {
            left = std::clamp(r.panel_width, min_panel_width, most / r.scale) * r.scale;
            left = std::round(left * r.pixel_ratio) / r.pixel_ratio;
            layout.panel = {0, top, left, bottom - top};
        }
    }
    if (r.messages_height > 0 && bottom - top > 2 * r.messages_height) {
        bottom -= r.messages_height;
        layout.messages = {left, bottom, r.width - left, r.messages_height};
    }
    const auto pixels = [&](float length) { return int(std::lround(length * r.pixel_ratio)); };
    layout.picture = {pixels(left), pixels(top), pixels(r.width) - pixels(left), pixels(bottom) - pixels(top)};
    layout.picture.width = with_parity_of(std::max(layout.picture.width, 0), r.image.width);
    layout.picture.height = with_parity_of(std::max(layout.picture.height, 0), r.image.height);
    return layout;
}

}  // namespace texelscope::gui
