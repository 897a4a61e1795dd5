#include "app/viewer/panels/pane_map.h"

#include <algorithm>
#include <cmath>

#include "app/picture/minimap.h"
#include "app/state/pane_places.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::panels {

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

}  // namespace texelscope::panels
