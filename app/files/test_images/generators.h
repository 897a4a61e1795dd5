#pragma once
// Filling images pixel by pixel, and arithmetic that gives the same bytes on every machine. Internal to this folder.
//
// Sums, products, quotients and square roots are exact by IEEE 754. std::log and friends differ in the last bit between
// libraries, which moves an 8-bit level only where the true value is a tie; so ties must not pass through them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "app/files/test_images/test_images.h"
#include "gpu/core/image.h"

namespace texelscope {

inline constexpr double two_pi = 6.283185307179586;

// Calls body(first, last) for pieces of [0, count) on all cores. `body` must not throw and not depend on the order.
void parallel_ranges(int64_t count, int64_t piece, const std::function<void(int64_t, int64_t)>& body);

// cos(2π·turns), exact at multiples of 1/4, where std::cos(2π·turns) would round to either side of a tie.
double cos_turns(double turns);
inline double sin_turns(double turns) { return cos_turns(turns - 0.25); }

// Integers: [0, 1] to the nearest level, ties up. Floats: as it is.
template <class T> T stored(double value) {
    if constexpr (std::is_floating_point_v<T>) return T(value);
    else return T(std::clamp(value, 0.0, 1.0) * std::numeric_limits<T>::max() + 0.5);
}

template <class T> constexpr SampleType sample_type_of() {
    if constexpr (std::is_same_v<T, uint8_t>) return SampleType::u8;
    else if constexpr (std::is_same_v<T, uint16_t>) return SampleType::u16;
    else return SampleType::f32;
}

// An image of Channels samples per pixel; colour_at(x, y) returns std::array<double, Channels>. A whole picture is made on
// all cores, a part by the thread that wants it: other threads want other parts.
template <class T, size_t Channels, class F> Image painted(const PicturePart& part, F colour_at) {
    const auto& region = part.region;
    Image image(region.width, region.height, int(Channels), sample_type_of<T>());
    const int left = int(region.x), top = int(region.y), width = region.width;
    const int64_t piece = part.is_whole() ? std::max<int64_t>(1, 16384 / width) : region.height;
    parallel_ranges(region.height, piece, [&](int64_t first, int64_t last) {
        for (int y = int(first); y < last; ++y) {
            T* sample = image.row_as<T>(y);
            for (int x = 0; x < width; ++x) {
                const std::array<double, Channels> colour = colour_at(left + x, top + y);
                for (size_t c = 0; c < Channels; ++c) *sample++ = stored<T>(colour[c]);
            }
        }
    });
    return image;
}

// painted() with one channel; value_at(x, y) returns double.
template <class T, class F> Image painted_gray(const PicturePart& part, F value_at) {
    return painted<T, 1>(part, [&](int x, int y) { return std::array<double, 1>{value_at(x, y)}; });
}

// The samples of a function: its first channels at whole coordinates.
template <class T, size_t Channels> Image sampled(const PictureFunction& function, const PicturePart& part) {
    return painted<T, Channels>(part, [&](int x, int y) {
        const std::array<double, 4> value = function.at({double(x), double(y)});
        std::array<double, Channels> colour;
        std::copy_n(value.begin(), Channels, colour.begin());
        return colour;
    });
}

// 0 below `from`, 1 above `to`, smooth between.
inline double smoothstep(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// Pseudo-random numbers that are the same everywhere.

// SplitMix64 (Steele, Lea & Flood 2014): the i-th number is a hash of seed + i·γ, so it can also be read out of order.
inline uint64_t random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [0, 1), a multiple of 2⁻⁵³.
inline double random_unit(uint64_t seed, uint64_t index) { return double(random_bits(seed, index) >> 11) * 0x1p-53; }

// The generators of the built-in test images, by family; the table in test_images.cpp says what each one shows. make_NAME
// returns the image or a part of it, NAME the function that it samples if it is one.

// generators.cpp: a fractal
Image make_basilica(const PicturePart& part);

// frequency.cpp
Image make_zone_plate(const PicturePart& part);
Image make_zone_plate_corner(const PicturePart& part);
Image make_complex_chirp(const PicturePart& part);
Image make_waves(const PicturePart& part);
Image make_frequency_chart(const PicturePart& part);
MakePictureFunction zone_plate, zone_plate_corner, complex_chirp, waves, frequency_chart;

// shapes.cpp: round ones
Image make_siemens_star(const PicturePart& part);
Image make_rings(const PicturePart& part);
MakePictureFunction siemens_star, rings;

// shapes.cpp: edges
Image make_step(const PicturePart& part);
Image make_slanted_edge(const PicturePart& part);
Image make_checkerboard(const PicturePart& part);
Image make_checkerboard_1px(const PicturePart& part);
Image make_frame(const PicturePart& part);
Image make_plane(const PicturePart& part);
Image make_impulse_grid(const PicturePart& part);
Image make_dots(const PicturePart& part);
MakePictureFunction step, slanted_edge, checkerboard;

// generators.cpp: tones
Image make_constant(const PicturePart& part);
Image make_ramp(const PicturePart& part);
Image make_parabola(const PicturePart& part);
Image make_alpha(const PicturePart& part);
MakePictureFunction constant, ramp, parabola, alpha;

// random.cpp: noise
Image make_random(const PicturePart& part);
Image make_random_binary(const PicturePart& part);
Image make_noise(int width, int height);
Image make_natural(int width, int height);

// random.cpp: dead leaves
Image make_dead_leaves(int width, int height);

// text.cpp
Image make_text(const PicturePart& part);

// A fixed bitmap font for pictures with text. Internal to this folder.

inline constexpr int glyph_width = 5, glyph_height = 9;
inline constexpr int glyph_advance = glyph_width + 1, line_advance = glyph_height + 2;

// Whether the glyph has ink at (x, y), y down; false outside. Characters that are not printable ASCII read as '?'.
bool glyph_pixel(char character, int x, int y);

}  // namespace texelscope
