#include "app/files/codecs/tiff_layout.h"

namespace texelscope {

TiffLayout tiff_layout(const RowSource& picture) {
    constexpr uint64_t tiled_from = uint64_t(1) << 26, most_held = uint64_t(1) << 27;
    constexpr int tile = 256, lowest = 16;
    // Deflate adds less than a thousandth to what it cannot compress; tables and profile are small beside the rest.
    constexpr uint64_t most_in_classic = (uint64_t(1) << 32) - (uint64_t(1) << 27);
    TiffLayout layout;
    const uint64_t row_bytes = picture.row_bytes(), bytes = row_bytes * uint64_t(picture.height);
    if (bytes < tiled_from) return layout;
    layout.tile_width = layout.tile_height = tile;
    while (layout.tile_height > lowest && row_bytes * uint64_t(layout.tile_height) > most_held) layout.tile_height /= 2;
    const auto whole = [](int side, int step) {
        return (uint64_t(side) + uint64_t(step) - 1) / uint64_t(step) * uint64_t(step);
    };
    const uint64_t pixel = row_bytes / uint64_t(picture.width);
    layout.big = whole(picture.width, tile) * whole(picture.height, layout.tile_height) * pixel > most_in_classic;
    return layout;
}

}  // namespace texelscope
