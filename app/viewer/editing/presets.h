#pragma once
// Ready-made sets of panes.

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

}  // namespace texelscope
