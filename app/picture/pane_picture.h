#pragma once
// From the state to pictures: what a pane shows, and a frame of all panes, with how it is drawn.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/rendition.h"
#include "app/state/app_state.h"
#include "app/state/panes.h"
#include "gpu/backend/request.h"

namespace texelscope {

// A pane's rendering: the state must have its image and a picture area, and what its figure and its difference are against: the scene's reference, or another pane. Empty
// if the image of that is not available (yet), or if the pane has none.
Rendition pane_rendition(const AppState& state, const PanePlace& place, int pane);
inline Rendition pane_rendition(const AppState& state, int pane) {
    return pane_rendition(state, place_of(state, pane), pane);
}
std::optional<Rendition> reference_rendition(const AppState& state, int pane);
inline RenderRequest pane_request(const AppState& state, int pane) { return pane_rendition(state, pane).request; }

// Whether the pane's image is the samples of a function.
bool has_formula(const Scene& scene, int pane);

// Why a pane has no reference, one sentence: its image is no function, or shows another field; empty if it has one.
std::string why_no_reference(const AppState& state, int pane);

// The visible content of a pane: the rendering itself, a difference, or its reference while Shift is held.
PanePicture pane_picture(const AppState& state, const PaneLayout& layout, int pane);
inline PanePicture pane_picture(const AppState& state, int pane) {
    return pane_picture(state, lay_out_panes(state), pane);
}

// Whether the pane is to show its difference: not if it is what others are compared with, the first of two that are
// compared with each other, or the reference itself, unless it is alone in view. Then it keeps its picture.
bool shows_difference(const AppState& state, int pane);

// Why a pane cannot show its difference; empty if it can, or if it shows none.
std::string why_no_difference(const AppState& state, int pane);

// The selected region for measuring a pane; empty: the whole picture.
std::optional<MeasureJob::Selection> measured_selection(const AppState& state, int pane);

// The whole image, small, in a corner of the picture while the view is zoomed in.

struct Minimap {
    int pane = 0;           // the pane whose image it shows
    PixelRect place;        // framebuffer pixels
    RenderRequest request;  // of the whole image
};

// Empty if it is switched off, the whole image is in view, or there is no space. `pixel_scale`: framebuffer pixels per
// unit of the interface.
std::optional<Minimap> minimap_of(const AppState& state, const PaneLayout& layout, float pixel_scale);
inline std::optional<Minimap> minimap_of(const AppState& state, float pixel_scale) {
    return minimap_of(state, lay_out_panes(state), pixel_scale);
}

// The sample-space point of the image under a framebuffer position.
Point image_point(const Minimap& minimap, Extent image, double x, double y);

// The inverse: framebuffer position of a sample-space point.
Point map_point(const Minimap& minimap, Extent image, Point p);

// The corners of the part of the image that its pane shows, framebuffer pixels. However far the view has gone and however
// deep it is, at least so many pixels of it are on the minimap in each direction.
std::array<Point, 4> seen_on_minimap(const AppState& state, const Minimap& minimap, double least);

// A frame: what to render, and how to draw it.

// One picture in the pixel buffer.
struct PlacedPicture {
    PanePicture picture;
    size_t offset = 0;  // bytes into the pixel buffer
    int pane = 0;       // its pane and timer; minimap: those of the minimap

    // Where it is drawn, framebuffer pixels.
    PixelRect place;  // of the picture's size
    PixelRect clip;   // the visible part; under a wipe not all of it

    static constexpr int minimap = max_panes;
    size_t bytes() const { return size_t(picture.shown.request.width) * size_t(picture.shown.request.height) * 4; }

    // Whether the buffer holds the same, however it is drawn.
    bool operator==(const PlacedPicture&) const = default;
    bool same_pixels(const PlacedPicture& other) const { return offset == other.offset && picture == other.picture; }
};

// The loupe over a picture.
struct Loupe {
    int x = 0, y = 0;  // output pixel of each pane
    int radius = 0;    // output pixels; 0: none
    int magnification = 8;
    bool operator==(const Loupe&) const = default;
};

struct FramePlan {
    std::vector<PlacedPicture> pictures;  // drawn in this order; empty: only the background
    Loupe loupe;
    bool draft = false;  // for a moment, while the picture moves

    size_t bytes() const { return pictures.empty() ? 0 : pictures.back().offset + pictures.back().bytes(); }
    bool operator==(const FramePlan&) const = default;
    bool same_pixels(const FramePlan& other) const;
};

// `pixel_scale`: framebuffer pixels per unit of the interface.
FramePlan plan_frame(const AppState& state, float pixel_scale);

}  // namespace texelscope
