#pragma once
// Where the names of a plot's points stand: beside them, over no point, no line and no other name.

#include <functional>
#include <string_view>
#include <vector>

#include "app/drawing/plot.h"
#include "gpu/core/view.h"

namespace texelscope {

struct PlacedName {
    std::string_view name;  // of the plot
    Point at;               // upper left corner
};

// Of one surface; lengths in its pixels.
struct LabelSurface {
    std::function<Point(double x, double y)> place;       // of a value
    std::function<double(std::string_view words)> width;  // of a text
    Point low, high;                                      // upper left and lower right corner of the plot's inside
    double height = 0;                                    // of a line of text
    double gap = 0;                                       // between the middle of a point and its name
};

// The names of labelled series, the highest point first: a name without free space near its point is left out, as are
// points outside.
std::vector<PlacedName> placed_names(const Plot& plot, const LabelSurface& surface);

}  // namespace texelscope
