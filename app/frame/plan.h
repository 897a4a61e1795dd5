#pragma once
// From state to a frame: what is to be rendered, and how it is drawn.

#include <memory>
#include <vector>

#include "app/state.h"

namespace texelscope {

// One rendering in the pixel buffer.
struct PlannedRender {
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    RenderRequest request;
    size_t offset = 0;  // bytes into the pixel buffer

    size_t bytes() const { return size_t(request.width) * size_t(request.height) * 4; }
};
bool operator==(const PlannedRender& a, const PlannedRender& b);

struct FramePlan {
    PixelRect picture;
    std::vector<PlannedRender> renders;  // empty: only the background
    bool difference = false;             // of renders[0] and renders[1]
    float gain = 1;
    int loupe_x = 0, loupe_y = 0;  // output pixel
    int loupe_radius = 0;          // output pixels; 0: no loupe
    int loupe_magnification = 8;

    size_t bytes() const { return renders.empty() ? 0 : renders.back().offset + renders.back().bytes(); }
};

// `pixel_scale`: framebuffer pixels of a unit of the interface.
FramePlan plan_frame(const AppState& state, float pixel_scale);

// What the picture area shows. The state must have an image and a picture area.
RenderRequest shown_request(const AppState& state);

// What "save view" writes: the same, but never a draft.
RenderRequest saved_request(const AppState& state);

}  // namespace texelscope
