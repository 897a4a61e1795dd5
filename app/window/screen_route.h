#pragma once
// The way pictures would reach the screen of this machine.

#include <string>

namespace texelscope {

struct Presentation {
    std::string opengl;  // version and renderer, or why there is none
    std::string rung;    // of the ladder: CUDA·GL; CUDA, staged copy; CPU
    std::string device;  // that computes
    std::string reason;  // why no higher rung; empty on the top one
};

// Opens a hidden window for a moment if there is a display. Never throws.
Presentation probe_presentation();

}  // namespace texelscope
