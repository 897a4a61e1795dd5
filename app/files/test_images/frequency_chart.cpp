// Four bands: a sweep, then gratings of fixed period, upright, level and diagonal.

#include <string>

#include "app/files/test_images/font.h"
#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {
namespace {

constexpr std::array<int, 8> periods{32, 16, 12, 8, 6, 4, 3, 2};  // pixels per cycle
constexpr int gap = 3;                                            // grey pixels left of and above a grating

// Frequency rises by the same factor every pixel, from 1/64 to 1/2 cycle per pixel; the phase is its integral.
double sweep(int x, int width) {
    const double octaves_times_ln2 = std::log(32.0);
    const double cycles = width / (64 * octaves_times_ln2) * (std::exp(octaves_times_ln2 * x / width) - 1);
    return 0.5 + 0.5 * cos_turns(cycles);
}

// A black tag with the period in white, at the corner of its grating. Negative where there is no tag.
double tag(int period, int x, int y) {
    const std::string text = std::to_string(period);
    const int tag_width = int(text.size()) * glyph_advance + 1, tag_height = 9;
    if (x < 0 || y < 0 || x >= tag_width || y >= tag_height) return -1;
    const size_t index = size_t(std::max(0, x - 1) / glyph_advance);
    return x > 0 && glyph_pixel(text[index], (x - 1) % glyph_advance, y - 1) ? 1 : 0;
}

}  // namespace

Image make_frequency_chart(int width, int height) {
    const int band_height = (height + 3) / 4, column_width = (width + 7) / 8;
    const bool tagged = band_height >= 24 && column_width >= 24;
    return painted_gray<uint8_t>(width, height, [=](int x, int y) {
        const int band = y / band_height, column = x / column_width;
        const int in_x = x % column_width, in_y = y % band_height, period = periods[size_t(column)];
        if (band > 0 && column_width > 2 * gap && in_x < gap && column > 0) return 0.5;
        if (band > 0 && band_height > 2 * gap && in_y < gap) return 0.5;
        if (band == 0) return sweep(x, width);
        if (const double ink = tag(period, in_x - gap, in_y - gap); band == 1 && tagged && ink >= 0) return ink;
        const int along = band == 1 ? in_x : band == 2 ? in_y : in_x + in_y;
        return 0.5 + 0.5 * cos_turns(double(along % period) / period);
    });
}

}  // namespace texelscope
