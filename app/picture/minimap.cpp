#include "app/picture/minimap.h"

#include <algorithm>
#include <cmath>

#include "app/state/pane_views.h"

namespace texelscope {
namespace {

constexpr float longest = 168, shortest = 64, margin = 12;  // units
constexpr double most_of_pane = 0.4;

// All four corners of the image are on the pane.
bool all_in_view(const PanePlace& place, const Affine& affine) {
    const Extent image = place.samples(), output = place.output();
    const double right = image.width - 0.5, bottom = image.height - 0.5;
    for (const Point corner : {Point{-0.5, -0.5}, {right, -0.5}, {-0.5, bottom}, {right, bottom}}) {
        const Point p = apply_inverse(affine, corner);
        constexpr double slack = 1;  // rounding may move a fitted image slightly over the edge
        if (p.x < -0.5 - slack || p.y < -0.5 - slack || p.x > output.width - 0.5 + slack ||
            p.y > output.height - 0.5 + slack)
            return false;
    }
    return true;
}

}  // namespace

std::optional<Minimap> minimap_of(const AppState& state, const PaneLayout& layout, float pixel_scale) {
    Minimap minimap;
    const bool active = std::ranges::count(layout.in_view, state.scene.active) > 0;
    minimap.pane = active ? state.scene.active : layout.in_view.front();
    const PanePlace& place = layout[minimap.pane];
    const Extent image = place.samples();
    if (!state.ui.minimap || !state.ui.panels || !place.has_picture() || place.signal() ||
        state.scene.warp.kind != Warp::Kind::none || all_in_view(place, shown_affine(state, minimap.pane)))
        return {};
    const PixelRect& pane = place.rect;
    const double side = std::min(longest * double(pixel_scale), most_of_pane * std::min(pane.width, pane.height));
    if (side < shortest * double(pixel_scale)) return {};
    const double scale = side / std::max(image.width, image.height);
    const int width = std::max(int(std::lround(image.width * scale)), 1),
              height = std::max(int(std::lround(image.height * scale)), 1);
    const int away = int(std::lround(margin * pixel_scale));
    minimap.place = {pane.x + pane.width - away - width, pane.y + pane.height - away - height, width, height};
    for (const PixelRect& other : {state.places.messages, state.places.work})  // this above those
        if (minimap.place.overlaps(other)) minimap.place.y = other.y - away - height;
    if (minimap.place.y < pane.y) return {};

    RenderRequest& request = minimap.request;
    request.spec = state.scene.panes[size_t(minimap.pane)].spec;
    request.width = width;
    request.height = height;
    request.antialias = true;
    request.positions = aligned_affine(Align::centers, image.width, image.height, width, height);
    return minimap;
}

Point image_point(const Minimap& minimap, Extent image, double x, double y) {
    return {(x - minimap.place.x) * image.width / minimap.place.width - 0.5,
            (y - minimap.place.y) * image.height / minimap.place.height - 0.5};
}

Point map_point(const Minimap& minimap, Extent image, Point p) {
    return {minimap.place.x + (p.x + 0.5) * minimap.place.width / image.width,
            minimap.place.y + (p.y + 0.5) * minimap.place.height / image.height};
}

}  // namespace texelscope
