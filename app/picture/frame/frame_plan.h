#pragma once
// From state to a frame: what to render, and how to draw it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/rendition.h"
#include "app/state/app_state.h"

namespace texelscope {

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
