#pragma once
// What the loop finds and everybody may read: the machine, and the places of things in the window.

#include <string>

#include "gpu/core/device_limits.h"

namespace texelscope {

// What computes and how the picture reaches the screen: constant until the device is lost.
struct Machine {
    std::string rung;           // "CUDA·GL", "CUDA, staged copy", "CPU"
    std::string rung_reason;    // why no higher rung, or no earlier device; empty on the highest
    bool rung_refused = false;  // a GPU exists that could not be used
    std::string device, device_detail, gl_renderer;
    bool on_gpu = false;
    DeviceLimits limits;  // of the backend; textures of size 0: no limit
};

// Framebuffer pixels from the window's upper left.
struct PixelRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
    bool contains(double px, double py) const { return px >= x && py >= y && px < x + width && py < y + height; }
    bool overlaps(const PixelRect& other) const {
        return !empty() && !other.empty() && x < other.x + other.width && other.x < x + width &&
               y < other.y + other.height && other.y < y + height;
    }
    bool operator==(const PixelRect&) const = default;
};

// Where things were in the last frame.
struct Places {
    PixelRect picture;   // the picture area
    PixelRect messages;  // the part of it that messages cover; empty: none
    PixelRect work;      // the part that the bar of what is under way covers
    int framebuffer_width = 0, framebuffer_height = 0;
};

}  // namespace texelscope
