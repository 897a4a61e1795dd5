#pragma once
// The screen's colour profile, as colour managers announce it.

#include <cstddef>
#include <string>
#include <vector>

namespace texelscope {

// The bytes of the property _ICC_PROFILE of the X display's root window (ICC Profiles in X Specification 0.4); empty if
// there is none, or no X display.
std::vector<std::byte> screen_profile();

// The way pictures would reach the screen of this machine.

struct Presentation {
    std::string opengl;  // version and renderer, or why there is none
    std::string rung;    // of the ladder: CUDA·GL; CUDA, staged copy; CPU
    std::string device;  // that computes
    std::string reason;  // why no higher rung; empty on the top one
};

// Opens a hidden window for a moment if there is a display. Never throws.
Presentation probe_presentation();

}  // namespace texelscope
