#pragma once
// The positions of everything on a sheet. Internal to this folder.

#include <cmath>

#include "gpu/core/image.h"

namespace texelscope::sheet_layout {

// Lengths at unit 1, pixels.
inline constexpr double margin = 24, gap = 20, small = 13, normal = 15, large = 20, line = 20, badge_size = 22;
inline constexpr double header_height = 72, legend_width = 240, legend_height = 56, item_gap = 16;
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
