#include "app/picture/minimap.h"

#include <algorithm>
#include <cmath>

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"

namespace texelscope {
namespace {

constexpr float longest = 168, shortest = 64, margin = 12;  // units
constexpr double most_of_pane = 0.4;

// All four corners of the image are on the pane.
bool all_in_view(const AppState& state, int pane) {
    const Extent image = image_extent(state, pane), output = output_extent(state, pane);
    const Affine affine = shown_affine(state, pane);
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

std::optional<Minimap> minimap_of(const AppState& state, float pixel_scale) {
    const std::vector<int> panes = panes_in_view(state);
    Minimap minimap;
    minimap.pane =
        std::find(panes.begin(), panes.end(), state.scene.active) != panes.end() ? state.scene.active : panes.front();
    const Extent image = image_extent(state, minimap.pane);
    if (!state.ui.minimap || !state.ui.panels || image.empty() || shows_signal(state, minimap.pane) ||
        acting_warp(state, minimap.pane).kind != Warp::Kind::none || all_in_view(state, minimap.pane))
        return {};
    const PixelRect pane = pane_rect(state, minimap.pane);
    const double side = std::min(longest * double(pixel_scale), most_of_pane * std::min(pane.width, pane.height));
    if (side < shortest * double(pixel_scale)) return {};
    const double scale = side / std::max(image.width, image.height);
    const int width = std::max(int(std::lround(image.width * scale)), 1),
              height = std::max(int(std::lround(image.height * scale)), 1);
    const int away = int(std::lround(margin * pixel_scale));
    minimap.place = {pane.x + pane.width - away - width, pane.y + pane.height - away - height, width, height};
    for (const PixelRect& other : {state.report.frame.messages, state.report.frame.work})  // this above those
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
