#include "app/state/pane_places.h"

#include <algorithm>
#include <cmath>

#include "app/state/framed_view.h"

namespace texelscope {

std::vector<int> panes_in_view(const AppState& state) {
    const Scene& scene = state.scene;
    const int count = int(scene.panes.size());
    if (scene.arrangement == Arrangement::single) return {scene.active};
    if (scene.arrangement == Arrangement::wipe && count > 1) return {0, std::max(scene.active, 1)};
    std::vector<int> panes;
    for (int pane = 0; pane < count; ++pane) panes.push_back(pane);
    return panes;
}

int focused_pane(const AppState& state) {
    if (!state.pointer.inside) return state.scene.active;
    const std::vector<int> panes = panes_in_view(state);
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

}  // namespace

PixelRect pane_rect(const AppState& state, int pane) {
    const PixelRect& picture = state.report.frame.picture;
    const std::vector<int> panes = panes_in_view(state);
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

PixelRect pane_clip(const AppState& state, int pane) {
    PixelRect clip = pane_rect(state, pane);
    if (state.scene.arrangement != Arrangement::wipe || state.scene.panes.size() < 2 || clip.empty()) return clip;
    const int at = wipe_at(state);
    int& start = state.scene.wipe.horizontal ? clip.y : clip.x;
    int& length = state.scene.wipe.horizontal ? clip.height : clip.width;
    if (pane != 0) start += at;
    length = pane == 0 ? at : std::max(length - at, 0);
    return clip;
}

Extent output_extent(const AppState& state, std::optional<int> pane) {
    const PixelRect rect = pane_rect(state, pane.value_or(focused_pane(state)));
    return {rect.width, rect.height};
}

int wipe_at(const AppState& state) {
    const PixelRect& picture = state.report.frame.picture;
    const int length = state.scene.wipe.horizontal ? picture.height : picture.width;
    return std::clamp(int(std::lround(state.scene.wipe.at * length)), 0, length);
}

}  // namespace texelscope
