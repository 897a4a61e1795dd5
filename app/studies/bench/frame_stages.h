#pragma once
// How a picture gets from the backend to the screen of this machine, stage by stage, each route timed.

#include <string>
#include <vector>

#include "gpu/backend/backend.h"

namespace texelscope {

struct FrameStage {
    std::string name;                               // see below
    double median_ms = 0, low_ms = 0, high_ms = 0;  // of the frames measured: median and quartiles
    std::string note;                               // which clock, and what it includes
};

// Stages by name (profiler.h where the timing panel has them too). Each is timed separately, after the others:
//   "acquire", "render", "release"  the pixel buffer for the backend, rendering, the pixel buffer for OpenGL
//   "acquire to release"            all three, on the backend's clock
//   "draw from a buffer texture", "glTexSubImage2D", "draw from a texture", "glTexSubImage2D + draw"
//   "interop frame", "staged frame"  CUDA only: acquire to release, and the same through host memory; on the host's clock
// What the host spends when nothing is waited for:
//   "host: acquire", "host: render", "host: release", "host: draw calls", "host: render 16 panes"
// And "frames in a row", one after another without waiting. The second rung has no interop frame.
struct FrameBench {
    std::string rung;           // "CUDA·GL", "CUDA, staged copy", "CPU"
    std::string renderer;       // GL_RENDERER
    int width = 0, height = 0;  // of the picture, pixels
    std::vector<FrameStage> stages;

    // Null if there is none with this name.
    const FrameStage* stage(const std::string& name) const;
};

// Cubic B-spline of an 8-bit RGB image at zoom 4, rotated by 10°, rendered into a pixel buffer of width × height
// and drawn by each route, `frames` times each (fewer if that takes more than two seconds), in a hidden window.
// Throws Unavailable without a window or a backend; Error for a size beyond OpenGL's, or numbers below 1;
// OutOfMemory.
FrameBench measure_frame_stages(BackendChoice choice, int width = 3840, int height = 2160, int frames = 60);

}  // namespace texelscope
