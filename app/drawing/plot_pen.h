#pragma once
// Drawing a plot on any kind of surface: draw_plot() computes the positions, a PlotPen draws.

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/drawing/plot.h"
#include "gpu/core/view.h"

namespace texelscope {

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

}  // namespace texelscope
