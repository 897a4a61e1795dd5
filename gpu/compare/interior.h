#pragma once
// The part of a picture whose figures are wanted beside those of the whole.

#include "gpu/core/extent.h"
#include "gpu/core/platform.h"

namespace texelscope {

// Convex: what holds the corners of a window holds the window.
struct Interior {
    int margin_x = 0, margin_y = 0;  // pixels left out along each edge
    double radius = 0;               // above 0: only those of the central disc

    TS_HD bool contains(int x, int y, Extent size) const {
        if (radius > 0) {
            const double dx = x - (size.width - 1) / 2.0, dy = y - (size.height - 1) / 2.0;
            return dx * dx + dy * dy <= radius * radius;
        }
        return x >= margin_x && x < size.width - margin_x && y >= margin_y && y < size.height - margin_y;
    }
    bool operator==(const Interior&) const = default;
};

}  // namespace texelscope
