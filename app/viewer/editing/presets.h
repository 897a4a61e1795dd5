#pragma once
// Ready-made sets of panes.

#include <array>
#include <span>
#include <string_view>

#include "app/state/app_state.h"

namespace texelscope {

struct Preset {
    std::string_view id;  // "all-methods"
    std::string_view title, tooltip;
    void (*apply)(AppState& state);
    bool (*enabled)(const AppState& state);  // null: always
};

std::span<const Preset> all_presets();

// The methods of the first preset, also those of `texelscope compare` unless told otherwise.
inline constexpr std::array<std::string_view, 4> four_methods = {"nearest", "bilinear", "catmull-rom", "bspline"};

}  // namespace texelscope
