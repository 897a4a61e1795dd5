#pragma once
// Plots of curves, as data; to_svg() draws one. For the documentation and for results of experiments.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/view.h"

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

// The colours of panes, the first by name (pane_rgb has them); then a quiet one.
enum class Ink { blue, orange, green, pink, purple, brown, seventh, sixteenth = 15, grey };

// What a point of a plot stands for: "cubic B-spline"; "31.10 dB, 16 fetches per pixel".
struct PointWords {
    std::string name, more = {};
    bool always_named = false;  // its name stands beside it, wherever there is space
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

// Several of them below each other, as one file.
std::string to_svg(std::span<const Plot> plots);

// Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them; on a logarithmic axis at the powers themselves, with
// 2 and 5 between them if those are few.
std::vector<Tick> round_ticks(const PlotAxis& axis, int wanted);

// Drawing a plot on any kind of surface: draw_plot() computes the positions, a PlotPen draws.

// 0xRRGGBB: on a white card.
namespace plot_colour {
inline constexpr uint32_t card = 0xffffff, border = 0xd9dce0, text = 0x4d535b, strong = 0x1c1e21, grid = 0xeaecef,
                          axis = 0x9aa0a8;
uint32_t of(Ink ink);
}  // namespace plot_colour

inline constexpr double plot_font_size = 11, plot_title_size = 12.5, plot_line_width = 1.7, plot_dot_radius = 3;
inline constexpr double plot_area_opacity = 0.22;

class PlotPen {
public:
    enum class Anchor { start, middle, end };
    enum class Lettering { plain, title, upwards };  // upwards: rotated by −90° about its position

    struct Rect {
        double left, top, right, bottom;
    };

    virtual ~PlotPen() = default;

    // The card, and the inside of the plot.
    virtual void begin(const Plot& plot, const Rect& inside) = 0;

    // y is the baseline.
    virtual void text(double x, double y, std::string_view words, Anchor anchor, Lettering lettering) = 0;

    // Thin: grid, axes and guides.
    virtual void line(Point a, Point b, uint32_t colour, bool dotted) = 0;

    // A series, clipped to the inside: unbroken stretches of a line, or the marks of all points. An area extends
    // down to the lower edge of the inside.
    virtual void series(const Series& series, const std::vector<std::vector<Point>>& stretches) = 0;

    // A sample of a series for the legend, centred at this position.
    virtual void swatch(const Series& series, double left, double middle) = 0;
};

// Throws Error for an axis without extent and for series whose x and y differ in length.
void draw_plot(const Plot& plot, PlotPen& pen);

// Where the names of a plot's points stand: beside them, over no point, no line and no other name.

struct PlacedName {
    std::string_view name;  // of the plot
    Point at;               // upper left corner
    // The ends of a line from the name to its point, unless it stands plainly at that.
    std::optional<std::pair<Point, Point>> to_point = {};
};

// A surface that names are placed on; lengths in its pixels.
struct LabelSurface {
    std::function<Point(double x, double y)> place;       // of a value
    std::function<double(std::string_view words)> width;  // of a text
    Point low, high;                                      // upper left and lower right corner of the plot's inside
    double height = 0;                                    // of a line of text
    double gap = 0;                                       // between the middle of a point and its name
};

// The names of points that are always named, then those of labelled series, the highest point first: without free space near
// its point a name is left out, but for the first one and those that are always there. Points outside have none.
std::vector<PlacedName> placed_names(const Plot& plot, const LabelSurface& surface);

// The plot of to_svg() as an image, u8 × 3: `scale` pixels per pixel of the plot. Throws Error as to_svg() does.
Image plot_picture(const Plot& plot, double scale = 2);

// The colours of panes, on the screen and on sheets, and the greys of text that both share: 0xRRGGBB.

// Colour of a pane's label, chip and curve: as many as there are panes, all different, on the dark of the window, for
// people without red or green cones as well (tests/drawing/test_fonts_and_colours.cpp says by how much). The first differ most.
inline constexpr int pane_colour_count = 16;
constexpr uint32_t pane_rgb(int pane) {
    constexpr uint32_t colours[pane_colour_count] = {0x4aa8ff, 0xffb000, 0x00c3a5, 0xe12d5a, 0x6969ff, 0xe1ff00,
                                                     0xf0a5d2, 0x3ce1ff, 0x009600, 0xe100c3, 0xc3c396, 0xff3c00,
                                                     0x877896, 0x5aff87, 0xc39687, 0x787869};
    return colours[size_t(pane) % pane_colour_count];
}

inline constexpr uint32_t text_rgb = 0xe3e5e8, secondary_text_rgb = 0x9aa0a8;

// How a pane's curve is drawn: in its colour; dashed from the seventh on, for those who see fewer colours.
constexpr Ink pane_ink(int pane) { return Ink(pane % int(Ink::grey)); }
constexpr Series::Style pane_style(int pane) { return pane < 6 ? Series::Style::line : Series::Style::dashed; }

}  // namespace texelscope
