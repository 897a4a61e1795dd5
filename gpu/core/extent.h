#pragma once

namespace texelscope {

// Of an image, an output or a window.
struct Extent {
    int width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
    bool operator==(const Extent&) const = default;
};

}  // namespace texelscope
