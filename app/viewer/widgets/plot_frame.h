#pragma once
// The inside of a plot on the screen: from values to window coordinates, and the marks of a series.

#include <imgui.h>

#include "app/drawing/plot.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

// A series' colour: that of a pane; grey for samples and the background.
Colour colour_of(Ink ink);

// How a curve is drawn: opacity, and thickness in units.
struct CurveLook {
    float opacity = 1, thickness = 1.6f;
};

class PlotFrame {
public:
    // Axes with their current range; a: upper left, b: lower right corner of the inside.
    PlotFrame(PlotAxis x, PlotAxis y, ImVec2 a, ImVec2 b) : x_(std::move(x)), y_(std::move(y)), a_(a), b_(b) {}

    const PlotAxis& x() const { return x_; }
    const PlotAxis& y() const { return y_; }
    ImVec2 upper_left() const { return a_; }
    ImVec2 lower_right() const { return b_; }

    float column(double value) const;
    float row(double value) const;
    double value_at(float column) const;  // of x

    void draw(ImDrawList& draw, const Series& series, const CurveLook& look = {}) const;

    // The points of a series in view, and one beyond each end.
    struct Span {
        size_t first, last;
    };
    Span in_view(const Series& series) const;

private:
    void draw_dots(ImDrawList& draw, const Series& series) const;
    void draw_line(ImDrawList& draw, const Series& series, const CurveLook& look) const;
    void draw_area(ImDrawList& draw, const Series& series) const;

    PlotAxis x_, y_;
    ImVec2 a_, b_;
};

// A dashed line through the points, with dashes measured along its length.
void add_dashed(ImDrawList& draw, const ImVec2* points, int count, ImU32 ink, float thickness);

}  // namespace texelscope::gui
