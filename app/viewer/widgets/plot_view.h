#pragma once
// A plot on the screen: thin axes, few ticks, a legend that reads values at the cursor. The wheel zooms along x about
// the cursor, dragging pans, a double click shows all again.

#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/drawing/plot.h"
#include "app/state/panel_state.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

// The inside of a plot on the screen: from values to window coordinates, and the marks of a series.

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
    double height_at(float row) const;    // of y

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

// The legend of a plot, or of all plots of a dock: swatches, names, values at the cursor.

// Even columns for a legend's entries, none wider than `widest` unless that is wider than the whole: no row is much
// shorter than the others.
struct LegendGrid {
    int columns = 1, rows = 0;
    float pitch = 0;  // from one column to the next
};
LegendGrid legend_grid(int entries, float widest, float width);

// The value of a series at x: linear between points; for dots, the nearest within `reach`. NaN if there is none.
double series_value(const Series& series, double x, double reach);

// "0.12345", "−3": as few digits as tell values apart in a plot; empty for NaN.
std::string value_words(double value);

// A position that the mouse cannot tell from others less than `step` away: with as many decimals as that has.
std::string place_words(double value, double step);

// What is pointed at, for all plots that share a legend. A curve is known by its colour.
struct PlotFocus {
    std::optional<Ink> front = {};  // the curve over the others unless one is pointed at
    std::optional<Ink> lit = {};    // that one, in a plot or in the legend
    struct Cursor {
        std::vector<Series> series;  // of the plot under the cursor
        double x = 0, reach = 0;
    };
    std::optional<Cursor> cursor = {};
    bool kept = false;  // what is pointed at is lit in the next frame too, also where it was drawn before

    void light(Ink ink);
};

// At the start of each frame, for plots that share a legend.
PlotFocus shared_focus(std::optional<Ink> front);

// Entries follow the heading if all have space there; else they are in even columns below it, with space for the values
// at the cursor, so that nothing moves with it. Many entries have short names and no values: that of the curve which is
// pointed at, or in front, is beside the heading, or after the last entry.
class PlotLegend {
public:
    // The heading is as wide as `indent`. `brief`: as with many entries.
    PlotLegend(const std::vector<Series>& series, ImVec2 at, float indent, float width, bool brief = false);

    float height() const { return height_; }
    std::optional<Ink> hovered() const;  // the entry under the mouse, if its window is
    void draw(ImDrawList& draw, const PlotFocus& focus) const;

private:
    struct Entry {
        std::string name;  // of its series
        std::string text;
        Series::Style style;
        Ink ink;
        ImVec2 at = {};
        float width = 0;
    };
    void place(float width);
    void place_short(float width);
    void draw_value(ImDrawList& draw, const PlotFocus& focus, const Entry& entry, ImVec2 at) const;

    std::vector<Entry> entries_;
    ImVec2 at_, value_at_;
    float indent_, height_ = 0;
    bool short_ = false;
};

// The dots of a series that the mouse can take hold of and move up and down, within the plot: the axis stays meanwhile.
struct PlotDrag {
    size_t series = 0;                // of the plot
    std::optional<size_t> held = {};  // receives the dot that is held, …
    double value = 0;                 // … and the value that it is moved to
};

struct PlotView {
    const char* id;              // "##plot:profile"; noted for tests without the "##"
    PlotZoom& zoom;              // along x; not active: the plot's own x axis
    PlotZoom limits = {};        // how far it zooms out and pans; not active: the plot's own x axis
    float height = 0;            // window coordinates; more if it leaves too little below the legend
    std::string tip = {};        // of the legend: what the plot shows
    int* columns = nullptr;      // receives the framebuffer pixels across the plot, in steps
    bool legend = true;          // false: plots share one
    bool brief = false;          // with little height: a short legend, and less height for the plot itself
    PlotFocus* focus = nullptr;  // of plots whose curves can be told apart by pointing at one
    PlotDrag* drag = nullptr;    // of plots with dots that can be moved
};

// At the position of the next item, as wide as the region. Shows the y axis as given, x as zoomed. True if the zoom was
// changed.
bool plot_view(const Plot& plot, const PlotView& view);

// The points of a plot that stand for something: their names beside them and at the mouse.

// A point with words that is pointed at: the one in view nearest to the mouse, or one that it covers at least half.
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
