#pragma once
// From state to a frame: what is to be rendered, and how it is drawn.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/rendition.h"
#include "app/state/app_state.h"

namespace texelscope {

// One picture in the pixel buffer.
struct PlannedPicture {
    PanePicture picture;
    size_t offset = 0;  // bytes into the pixel buffer
    int pane = 0;       // whose it is, and its timer; minimap: of the minimap

    // How it is drawn, framebuffer pixels.
    PixelRect place;  // of the picture's size
    PixelRect clip;   // the part of it that is seen: under a wipe not all

    static constexpr int minimap = max_panes;
    size_t bytes() const { return size_t(picture.shown.request.width) * size_t(picture.shown.request.height) * 4; }

    // The buffer holds the same, however it is drawn.
    bool same_pixels(const PlannedPicture& other) const { return offset == other.offset && picture == other.picture; }
};

// The magnifying glass over a picture.
struct Loupe {
    int x = 0, y = 0;  // output pixel of each pane
    int radius = 0;    // output pixels; 0: none
    int magnification = 8;
};

struct FramePlan {
    std::vector<PlannedPicture> pictures;  // drawn in this order; empty: only the background
    Loupe loupe;

    size_t bytes() const { return pictures.empty() ? 0 : pictures.back().offset + pictures.back().bytes(); }
    bool same_pixels(const FramePlan& other) const;
};

// `pixel_scale`: framebuffer pixels of a unit of the interface.
FramePlan plan_frame(const AppState& state, float pixel_scale);

}  // namespace texelscope
