#pragma once
// The points of a plot that stand for something: their names beside them and at the mouse.

#include <vector>

#include "app/viewer/widgets/plot_frame.h"

namespace texelscope::gui {

// Of the points in view that have words, the nearest to the mouse, and those that it covers at least half.
struct PlotPoint {
    const PointWords* words;  // of the plot
    double x;                 // its value
    ImVec2 at;
};
std::vector<PlotPoint> nearest_points(const Plot& plot, const PlotFrame& frame, ImVec2 mouse);

// The names of labelled points; what those that are pointed at stand for, if there are any.
void draw_point_words(ImDrawList& draw, const Plot& plot, const PlotFrame& frame,
                      const std::vector<PlotPoint>& pointed);

}  // namespace texelscope::gui
