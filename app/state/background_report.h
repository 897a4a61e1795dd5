#pragma once
// Work in the background, one at a time: an experiment, a comparison, an export.

#include <cstdint>
#include <optional>
#include <string>

#include "app/state/dialogs.h"

namespace texelscope {

// A picture for the interface to draw.
struct InterfacePicture {
    uint32_t name = 0;  // OpenGL's; 0: none
    int width = 0, height = 0;
};

struct BackgroundReport {
    std::string name, title;       // "rotation", "Repeated rotation"; empty: nothing runs
    std::optional<Dialog> dialog;  // that shows its progress; none: the bar at the lower edge
    std::string words;             // the current step
    int done = 0, total = 1;
    InterfacePicture picture;  // how it looks at the moment

    bool running() const { return !name.empty(); }
};

}  // namespace texelscope
