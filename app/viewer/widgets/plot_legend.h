#pragma once
// The legend of a plot, or of all plots of a dock: swatches, names, values at the cursor.

#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/drawing/plot.h"

namespace texelscope::gui {

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
    std::optional<Ink> front;  // the curve over the others unless one is pointed at
    std::optional<Ink> lit;    // that one, in a plot or in the legend
    std::optional<Ink> next;   // the same as found in this frame
    struct Cursor {
        std::vector<Series> series;  // of the plot under the cursor
        double x = 0, reach = 0;
    };
    std::optional<Cursor> cursor;

    // At the start of each frame.
    void begin(std::optional<Ink> in_front) {
        front = in_front;
        lit = next;
        next.reset();
        cursor.reset();
    }
    void light(Ink ink) { lit = next = ink; }
};

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

}  // namespace texelscope::gui
