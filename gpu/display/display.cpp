#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/display/display.h"
#include "gpu/display/pixel.h"

namespace texelscope {

void display_rows(const DisplayJob& job, int first, int last) {
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.width; ++i) display_pixel(job, i, j);
}

// The colour maps, computed: paths through OKLCh with evenly spaced lightness. Lightness is Ottosson's revised L_r
// (2021, Okhsv and Okhsl), which like CIE L* is linear near black: with OKLab's own, a cube root, the first dozen of
// 256 colours would all be black.

namespace {

using Table = std::array<uint32_t, 256>;

struct Oklch {
    double lightness, chroma, hue;  // revised lightness; hue in degrees
};

// OKLab's lightness from the revised one.
double unrevised(double r) {
    constexpr double k1 = 0.206, k2 = 0.03, k3 = (1 + k1) / (1 + k2);
    return r * (r + k1) / (k3 * (r + k2));
}

Rgb linear(const Oklch& c, double chroma) {
    const double hue = c.hue * std::numbers::pi / 180;
    return linear_from_oklab(float(unrevised(c.lightness)), float(chroma * std::cos(hue)),
                             float(chroma * std::sin(hue)));
}

bool on_screen(const Rgb& c) {
    constexpr float slack = 1e-5f;
    const auto fits = [](float v) { return v >= -slack && v <= 1 + slack; };
    return fits(c.r) && fits(c.g) && fits(c.b);
}

// The colour with as much of its chroma as sRGB has at this lightness and hue, so that clipping changes neither.
uint32_t screen_colour(const Oklch& c) {
    double low = 0, high = c.chroma;
    if (on_screen(linear(c, high))) low = high;
    for (int step = 0; step < 24 && low < high; ++step) {
        const double middle = (low + high) / 2;
        (on_screen(linear(c, middle)) ? low : high) = middle;
    }
    const Rgb rgb = linear(c, low);
    return rgba_of(srgb_encoded(rgb.r), srgb_encoded(rgb.g), srgb_encoded(rgb.b));
}

template <class Path> Table table_of(Path path) {
    Table table;
    for (int i = 0; i < 256; ++i) table[size_t(i)] = screen_colour(path(i / 255.0));
    return table;
}

double mix(double a, double b, double t) { return a + (b - a) * t; }

Oklch grey(double t) { return {t, 0, 0}; }

// Violet (300°) through red (20°) and orange (60°) to yellow (105°).
Oklch ember(double t) {
    return {mix(0, 0.97, t), 0.2 * std::sin(std::numbers::pi * std::min(1.0, 0.12 + 0.8 * t)), mix(290, 465, t)};
}

// Blue (265°) through green to yellow (105°).
Oklch lagoon(double t) { return {mix(0.12, 0.95, t), 0.15, mix(268, 105, t)}; }

// Blue (255°), neutral in the middle, orange (50°).
Oklch balance(double t) {
    const double away = std::abs(2 * t - 1);  // distance from the middle
    return {mix(0.97, 0.33, away), 0.16 * std::sqrt(away) * std::min(1.0, 4 * away), t < 0.5 ? 255.0 : 50.0};
}

}  // namespace

const std::array<uint32_t, 256>& colour_table(ColourMap map) {
    static const Table greys = table_of(grey), embers = table_of(ember), lagoons = table_of(lagoon),
                       balances = table_of(balance);
    switch (map) {
        case ColourMap::ember: return embers;
        case ColourMap::lagoon: return lagoons;
        case ColourMap::balance: return balances;
        case ColourMap::channels:
        case ColourMap::grey: break;
    }
    return greys;
}

double pixels_per_degree(double pixels, double width, double distance) {
    return distance * pixels / width * (std::numbers::pi / 180);
}

}  // namespace texelscope
