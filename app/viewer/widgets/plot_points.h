#pragma once
// The points of a plot that stand for something: their names beside them and at the mouse.

#include <vector>

#include "app/viewer/widgets/plot_frame.h"

namespace texelscope::gui {

// The nearest point that has words, within `reach` pixels of the mouse, and those that it covers at least half.
struct PlotPoint {
    const PointWords* words;  // of the plot
    ImVec2 at;
};
std::vector<PlotPoint> points_at(const Plot& plot, const PlotFrame& frame, ImVec2 mouse, float reach);

// The names of labelled points; what the one at the mouse stands for, if the mouse is on the plot.
void draw_point_words(ImDrawList& draw, const Plot& plot, const PlotFrame& frame, bool hovered);

}  // namespace texelscope::gui
