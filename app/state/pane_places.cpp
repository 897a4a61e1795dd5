#include "app/state/pane_places.h"

#include <algorithm>
#include <cmath>

#include "app/state/pane_images.h"
#include "app/state/view_math.h"

namespace texelscope {

std::vector<int> panes_in_view(const Scene& scene) {
    const int count = int(scene.panes.size());
    if (scene.arrangement == Arrangement::single) return {scene.active};
    if (scene.arrangement == Arrangement::wipe && count > 1) return {0, std::max(scene.active, 1)};
    std::vector<int> panes;
    for (int pane = 0; pane < count; ++pane) panes.push_back(pane);
    return panes;
}

int focused_pane(const AppState& state) {
    if (!state.pointer.inside) return state.scene.active;
    const std::vector<int> panes = panes_in_view(state.scene);
    const bool there = std::find(panes.begin(), panes.end(), state.pointer.pane) != panes.end();
    return there ? state.pointer.pane : state.scene.active;
}

namespace {

constexpr int gap = 2;  // framebuffer pixels between panes

struct Cells {
    int columns = 1, rows = 1;
};

Cells cells_of(Arrangement arrangement, int panes) {
    switch (arrangement) {
        case Arrangement::single:
        case Arrangement::wipe: return {};
        case Arrangement::columns: return {panes, 1};
        case Arrangement::rows: return {1, panes};
        case Arrangement::grid: break;
    }
    const int columns = int(std::ceil(std::sqrt(double(panes))));
    return {columns, (panes + columns - 1) / columns};
}

PixelRect rect_of(const AppState& state, int pane, const std::vector<int>& panes) {
    const PixelRect& picture = state.places.picture;
    const auto at = std::find(panes.begin(), panes.end(), pane);
    if (at == panes.end() || picture.empty()) return {};
    const Cells cells = cells_of(state.scene.arrangement, int(panes.size()));
    if (cells.columns * cells.rows == 1) return picture;
    const int index = int(at - panes.begin());
    const int pitch_x = (picture.width + gap) / cells.columns, pitch_y = (picture.height + gap) / cells.rows;
    const Document* document = state.scene.document();
    const Image* image = document ? document->image.get() : nullptr;
    return {picture.x + index % cells.columns * pitch_x, picture.y + index / cells.columns * pitch_y,
            with_parity_of(std::max(pitch_x - gap, 0), image ? frame_size(*image).width : 0),
            with_parity_of(std::max(pitch_y - gap, 0), image ? frame_size(*image).height : 0)};
}

PixelRect clip_of(const AppState& state, int pane, const PixelRect& rect) {
    PixelRect clip = rect;
    if (state.scene.arrangement != Arrangement::wipe || state.scene.panes.size() < 2 || clip.empty()) return clip;
    const int at = wipe_at(state);
    int& start = state.scene.wipe.horizontal ? clip.y : clip.x;
    int& length = state.scene.wipe.horizontal ? clip.height : clip.width;
    if (pane != 0) start += at;
    length = pane == 0 ? at : std::max(length - at, 0);
    return clip;
}

PanePlace place_among(const AppState& state, int pane, const std::vector<int>& in_view) {
    const PixelRect rect = rect_of(state, pane, in_view);
    return {image_of(state.scene, pane), rect, clip_of(state, pane, rect)};
}

}  // namespace

Extent PanePlace::samples() const { return image ? Extent{image->width(), image->height()} : Extent{}; }
Extent PanePlace::frame() const { return image ? frame_size(*image) : Extent{}; }

PaneLayout lay_out_panes(const AppState& state) {
    PaneLayout layout{panes_in_view(state.scene), {}};
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane)
        layout.panes.push_back(place_among(state, pane, layout.in_view));
    return layout;
}

const PanePlace& PaneLayout::operator[](int pane) const {
    static const PanePlace none;
    return pane >= 0 && size_t(pane) < panes.size() ? panes[size_t(pane)] : none;
}

std::optional<int> PaneLayout::pane_at(double x, double y) const {
    for (const int pane : in_view)
        if ((*this)[pane].clip.contains(x, y)) return pane;
    return {};
}

PanePlace place_of(const AppState& state, int pane) { return place_among(state, pane, panes_in_view(state.scene)); }
PixelRect pane_rect(const AppState& state, int pane) { return rect_of(state, pane, panes_in_view(state.scene)); }
PixelRect pane_clip(const AppState& state, int pane) { return clip_of(state, pane, pane_rect(state, pane)); }

Extent output_extent(const AppState& state, std::optional<int> pane) {
    const PixelRect rect = pane_rect(state, pane.value_or(focused_pane(state)));
    return {rect.width, rect.height};
}

int wipe_at(const AppState& state) {
    const PixelRect& picture = state.places.picture;
    const int length = state.scene.wipe.horizontal ? picture.height : picture.width;
    return std::clamp(int(std::lround(state.scene.wipe.at * length)), 0, length);
}

}  // namespace texelscope
