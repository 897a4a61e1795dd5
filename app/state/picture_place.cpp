#include "app/state/picture_place.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/state/pane_views.h"

namespace texelscope {
namespace {

struct Bounds {
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;

    void take(Point p) {
        x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
        y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
    bool meets(const Bounds& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
};

std::array<Point, 4> corners_of_bounds(const Bounds& b) {
    return {{{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}}};
}

}  // namespace

double WayToPicture::length() const { return std::hypot(x, y); }

// Both are rectangles, the one rotated against the other: they are apart if they are along an axis of either.
std::optional<WayToPicture> way_to_picture(const AppState& state, int pane) {
    const PanePlace place = place_of(state, pane);
    if (!place.has_picture() || place.clip.empty() || state.scene.outside == Outside::extend ||
        acting_warp(state, pane).kind != Warp::Kind::none)
        return {};
    const Affine affine = shown_affine(state, pane);
    const Extent image = place.samples();
    Bounds samples{-0.5, -0.5, image.width - 0.5, image.height - 0.5}, seen, on_pane;
    const Bounds window{place.clip.x - place.rect.x - 0.5, place.clip.y - place.rect.y - 0.5,
                        place.clip.x - place.rect.x + place.clip.width - 0.5,
                        place.clip.y - place.rect.y + place.clip.height - 0.5};
    for (const Point& corner : corners_of_bounds(window)) seen.take(apply(affine, corner.x, corner.y));
    if (place.signal()) samples.y0 = seen.y0 - 1, samples.y1 = seen.y1 + 1;  // it fills the pane's height
    for (const Point& corner : corners_of_bounds(samples)) on_pane.take(apply_inverse(affine, corner));
    if (samples.meets(seen) && (place.signal() || on_pane.meets(window))) return {};
    const Point middle{(window.x0 + window.x1) / 2, (window.y0 + window.y1) / 2};
    const Point from = apply(affine, middle.x, middle.y);
    const Point nearest =
        apply_inverse(affine, {std::clamp(from.x, samples.x0, samples.x1), std::clamp(from.y, samples.y0, samples.y1)});
    return WayToPicture{nearest.x - middle.x, nearest.y - middle.y};
}

}  // namespace texelscope
