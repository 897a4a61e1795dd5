#pragma once
// Options of the viewer, set by the command line.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/core/view.h"
#include "gpu/core/warp.h"
#include "gpu/method/spec.h"

namespace texelscope {

struct ViewerOptions {
    std::vector<std::string> images;  // paths, sources or test images ("@zone-plate:512"); none: the default picture
    std::shared_ptr<const Image> standard_input;  // among the images under its pushed_source
    std::string session;                          // a session file instead of images
    std::string lesson;                           // a built-in lesson or a file; empty: none
    int lesson_step = 0;                          // from 0
    bool presenter = false;                       // start in presenter mode
    std::optional<View> view;                     // of the first image; unset: fitted
    std::optional<MethodSpec> spec;               // of pane A; unset: cubic B-spline, iir, auto
    std::optional<Outside> outside;               // unset: background
    std::optional<bool> antialias;                // unset: on
    bool linear_light = false;                    // interpolate linear light instead of the stored values
    std::optional<Warp> warp;                     // unset: none
    BackendChoice backend = BackendChoice::automatic;
    int width = 0, height = 0;    // of the window; 0: the last size, or 1280×800
    std::string screenshot;       // save one frame to this file and exit
    float ui_scale = 0;           // 0: the display's
    bool no_interop = false;      // start at the second rung
    bool debug_gl = false;        // OpenGL's messages to stderr
    bool trace_state = false;     // each change of state as one line of JSON to stderr
    std::optional<bool> animate;  // unset: the last setting
    std::optional<bool> upright;  // pictures are turned as their EXIF data say; unset: the last setting

    // For tests.
    std::vector<int> lose_device_after;  // rendered frames until the device is lost, until the next one is, …
    bool pretend_losses = false;         // of which nothing but this program knows
    bool debug_commands = false;         // in the command palette
};

}  // namespace texelscope
