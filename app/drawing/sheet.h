#pragma once
// Sheets: all panes on one picture with labels, figures and a legend, ready for a slide.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/text/text.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display.h"

namespace texelscope {

struct SheetPane {
    Image picture;                                 // u8 × 3 or 4, opaque; all of the same size
    int index = 0;                                 // of the pane: its colour
    std::string badge, label;                      // "A", "Cubic B-spline · iir · hardware"
    std::optional<Metrics> metrics;                // against the reference
    std::optional<MapFigures> map;                 // of the map of errors that the picture shows: with its histogram
    Against against;                               // that reference; without a name, only the sheet names it
    ValueScale scale;                              // of its errors
    double milliseconds = 0;                       // 0: not shown
    double fetches = 0;                            // per pixel; 0: not shown
    bool taps = false;                             // they are called taps
    std::optional<DifferenceSettings> difference;  // the picture is one: its legend is drawn
};

struct SheetText {
    std::string title;      // "kodim19.png · 400 % (4:1)"
    std::string reference;  // "Figures against cubic B-spline · iir in float64"
    std::string device;     // "NVIDIA H200"
};

// u8 × 3. `columns` 0: as many as make the sheet about 16:9. Small pictures are magnified by a whole factor, each pixel
// a square. Texts that do not fit are shortened with "…". Throws Error for no panes or pictures of different sizes.
Image make_sheet(const std::vector<SheetPane>& panes, const SheetText& text, int columns = 0);

// The figures and the legend of a pane on a sheet.
std::vector<Figure> figures_of(const SheetPane& pane);

// "signed difference", and the values at the ends of its colour map: "−0.125", "0.125".
struct LegendText {
    std::string title, low, middle, high;  // no middle: the map starts at 0
};
LegendText legend_text(const DifferenceSettings& difference, const ValueScale& scale = {});

}  // namespace texelscope

namespace texelscope::sheet_layout {

// The positions of everything on a sheet. Internal to this folder.

// Lengths at unit 1, pixels.
inline constexpr double margin = 24, gap = 20, small = 13, normal = 15, large = 20, line = 20, badge_size = 22;
inline constexpr double header_height = 72, legend_width = 240, legend_height = 56, item_gap = 16,
                        histogram_height = 40;
inline constexpr double least_cell = 280, least_sheet = 480;

struct Layout {
    int columns = 1, rows = 1;
    int times = 1;           // magnification of the pictures
    int picture_height = 1;  // magnified
    int cell_width = 1;      // pixels
    double unit = 1;         // pixels of a length above
    int width = 1;           // of the sheet
    double cell_text = 0;    // height of the text below a picture

    int px(double length) const { return int(std::lround(length * unit)); }
    int cell_x(int column) const { return px(margin) + column * (cell_width + px(gap)); }
    int row_height() const { return picture_height + int(std::ceil(cell_text)) + px(gap); }
};

// The layout of this many pictures of this size in rows of `columns`; the caller sets cell_text.
Layout laid_out(int count, const Image& picture, int columns);

// The number of columns whose sheet is nearest to 16:9, with few empty cells.
int best_columns(int count, const Image& picture);

}  // namespace texelscope::sheet_layout
