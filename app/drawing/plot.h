#pragma once
// Plots of curves, as data; to_svg() draws one. For the documentation and for results of experiments.

#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

struct Tick {
    double at;
    std::string label = {};
};

struct PlotAxis {
    std::string label = {};  // with its unit: "frequency (cycles per sample)"
    double minimum = 0, maximum = 1;
    bool logarithmic = false;      // both ends above zero
    std::vector<Tick> ticks = {};  // empty: round numbers, see round_ticks()
};

// Those of panes, the first by name, for which see pane_colours.h; then a quiet one.
enum class Ink { blue, orange, green, pink, purple, brown, seventh, sixteenth = 15, grey };

// What a point of a plot stands for: "cubic B-spline"; "31.10 dB, 16 fetches per pixel".
struct PointWords {
    std::string name, more = {};
};

struct Series {
    enum class Style {
        line,
        dashed,
        dots,  // a mark at each point, no line
        area   // filled down to the end of the y axis
    };
    std::string name = {};               // in the legend; empty: not listed
    std::vector<double> x = {}, y = {};  // a NaN interrupts the line; parts outside the axes are clipped
    Style style = Style::line;
    Ink ink = Ink::blue;
    std::vector<PointWords> words = {};  // of each point, shown at the mouse; empty: none
    bool labelled = false;               // their names stand beside the points as well
};

// A thin line across the whole plot, with a word beside it.
struct Guide {
    enum class Across { x, y } of = Across::x;  // the axis that `at` is a value of
    double at = 0;
    std::string label = {};
};

struct Plot {
    std::string title = {};
    PlotAxis x = {}, y = {};
    std::vector<Series> series = {};
    std::vector<Guide> guides = {};
    int width = 400, height = 278;  // pixels
};

// A self-contained SVG file: on a white card, so that it is readable on light and dark pages, with system fonts.
// Coordinates are rounded to 1/100 pixel, so the same plot gives the same bytes in every build. Throws Error for an
// axis without extent and for series whose x and y differ in length. `clip`: the id of its clip path, which must be
// unique on a page.
std::string to_svg(const Plot& plot, std::string_view clip = "inside");

// Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them; on a logarithmic axis at the powers themselves, with
// 2 and 5 between them if those are few.
std::vector<Tick> round_ticks(const PlotAxis& axis, int wanted);

}  // namespace texelscope
