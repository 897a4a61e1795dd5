#pragma once

namespace texelscope {

// The part of a plot's x axis that is zoomed into.
struct PlotZoom {
    double from = 0, to = 0;
    bool active() const { return to > from; }
    bool operator==(const PlotZoom&) const = default;
};

}  // namespace texelscope
