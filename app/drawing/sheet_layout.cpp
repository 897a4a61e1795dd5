#include "app/drawing/sheet_layout.h"

#include <algorithm>

namespace texelscope::sheet_layout {

Layout laid_out(int count, const Image& picture, int columns) {
    Layout layout;
    layout.columns = columns;
    layout.rows = (count + columns - 1) / columns;
    const int wanted = int(std::max(least_cell, least_sheet / columns));
    const int by_width = (wanted + picture.width() - 1) / picture.width();
    const int by_height = std::max(1, 2 * wanted / picture.height());  // narrow and tall: stays small
    layout.times = std::clamp(by_width, 1, by_height);
    layout.cell_width = std::max(wanted, picture.width() * layout.times);
    layout.picture_height = picture.height() * layout.times;
    // Text of 15 pixels on a sheet of 1280, but never too large for a cell.
    layout.unit = std::clamp(columns * layout.cell_width / 1280.0, 1.0, std::max(1.0, layout.cell_width / 320.0));
    layout.unit = std::min(layout.unit, 4.0);
    layout.width = layout.cell_x(columns - 1) + layout.cell_width + layout.px(margin);
    return layout;
}

int best_columns(int count, const Image& picture) {
    int best = 1;
    double least = 1e300;
    for (int columns = 1; columns <= count; ++columns) {
        Layout layout = laid_out(count, picture, columns);
        layout.cell_text = layout.px(3 * line);
        const double height = layout.px(header_height + margin) + double(layout.rows) * layout.row_height();
        const int empty = columns * layout.rows - count;
        const double badness = std::abs(std::log(layout.width / height / (16.0 / 9))) + 0.3 * empty;
        if (badness < least) {
            least = badness;
            best = columns;
        }
    }
    return best;
}

}  // namespace texelscope::sheet_layout
