#pragma once
// View: which part of the image a pane shows; and the affine map from output space to sample space that it describes.

#include <cmath>
#include <cstddef>
#include <numbers>

#include "gpu/core/names.h"
#include "gpu/core/platform.h"

namespace texelscope {

// p = c_src + translate + scale · R(rotate) · ((i, j) − c_out): output pixel (i, j) reads sample-space point p.
// c_out and c_src are the centres ((W−1)/2, (H−1)/2) of the output and ((w−1)/2, (h−1)/2) of the image.
struct View {
    double translate_x = 0, translate_y = 0;  // samples
    double scale = 1;                         // samples per output pixel; above 1 zooms out
    double rotate = 0;                        // degrees; x to the right, y down
    bool operator==(const View&) const = default;

    double zoom() const { return 1 / scale; }
};

// x = xx·i + xy·j + x0, y = yx·i + yy·j + y0, in sample space. Double, so that the integer part and the fraction are
// each exact to 2⁻²⁴ texel at any coordinate up to 2²⁶.
//
// Positions of resized images, and of views without rotation or with quarter turns, are fractions, and many of them lie
// halfway between two samples. There nearest takes the right or lower sample, so rounding must not lower a position:
// the affine maps below exceed their fractions by more than all later rounding, a few units of a double's last place,
// unless nothing is rounded at all. Pixel k of N then reads sample floor((2k + 1)·n / 2N) of n, in whole numbers: a
// position that is no tie is at least 1/2N away from one, which is far more than that excess as long as n·N is below
// 2⁴⁸.
struct Affine {
    double xx = 1, xy = 0, x0 = 0;
    double yx = 0, yy = 1, y0 = 0;
    bool operator==(const Affine&) const = default;

    // True if x depends only on i and y only on j.
    bool axis_aligned() const { return xy == 0 && yx == 0; }
};

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

// Sizes in pixels. Multiples of 90° are exact.
Affine sampling_affine(const View& view, int source_width, int source_height, int output_width, int output_height);

// How the pixels of a resized image are aligned with the samples of its source.
//   centers   the outer edges of the two agree: x = (i + ½)·a − ½, with a = source size / output size
//   corners   the outermost samples agree: x = i·(n − 1)/(N − 1); an output of one pixel is as for `centers`
//   origin    texture coordinate i·a, as hardware resizing is often written: x = i·a − ½, half an output pixel off
//             `centers`
enum class Align { centers, corners, origin };

inline constexpr NamedValue<Align> alignments[] = {
    {Align::centers, "centers"}, {Align::corners, "corners"}, {Align::origin, "origin"}};
constexpr auto& names_table(Align) { return alignments; }

// Sizes in pixels.
Affine aligned_affine(Align align, int source_width, int source_height, int output_width, int output_height);

// The map aligned as `origin`, for exact factors (output pixels per sample) instead of sizes: a = 1/factor per axis.
Affine affine_of_factor(double x, double y);

// Sample-space point that output position (i, j) reads; positions between pixels are allowed.
Point apply(const Affine& affine, double i, double j);

// Output position that reads the sample-space point p; the inverse of apply.
Point apply_inverse(const Affine& affine, Point p);

// Numbers in the memory of a caller or a backend: points in sample space, values of a rendering.

// Arbitrary points, as arrays of coordinates or interleaved: point k has x[k · stride] and y[k · stride], float or double.
// Interleaved pairs: y = x + 1, stride 2. Without y the points are those of a one-dimensional signal.
struct PointsView {
    const void* x = nullptr;  // null: no points
    const void* y = nullptr;
    size_t count = 0;
    size_t stride = 1;  // elements from one point to the next
    bool is_double = false;

    static PointsView arrays(const float* x, const float* y, size_t count) { return {x, y, count, 1, false}; }
    static PointsView arrays(const double* x, const double* y, size_t count) { return {x, y, count, 1, true}; }
    static PointsView pairs(const float* xy, size_t count) { return {xy, xy + 1, count, 2, false}; }
    static PointsView pairs(const double* xy, size_t count) { return {xy, xy + 1, count, 2, true}; }

    // The points from number `first` on.
    PointsView from(size_t first) const {
        const size_t bytes = first * stride * (is_double ? sizeof(double) : sizeof(float));
        const auto moved = [&](const void* values) -> const void* {
            return values ? static_cast<const char*>(values) + bytes : nullptr;
        };
        return {moved(x), moved(y), count - first, stride, is_double};
    }

    TS_HD double coordinate(const void* values, size_t k) const {
        return is_double ? static_cast<const double*>(values)[k * stride]
                         : double(static_cast<const float*>(values)[k * stride]);
    }
    TS_HD Point at(size_t k) const { return {coordinate(x, k), y ? coordinate(y, k) : 0.0}; }
};

// A rendering in memory of the backend: `channels` floats or doubles per pixel, rows packed.
struct ValuePlane {
    const void* values = nullptr;
    bool doubles = false;
};

// Warps: built-in coordinate maps over an image, from sample space to sample space.

// With r the distance from the image's centre and R half its shorter side:
//   swirl    rotates about the centre by strength degrees there, falling to 0 at R: strength · (1 − r/R)²
//   barrel   reads at r · (1 + strength · (r/R)²): above 0 straight lines bulge out, below 0 they bend in (pincushion)
//   ripple   reads at r + strength · sin(2π · 8 r/R) samples
struct Warp {
    enum class Kind { none, swirl, barrel, ripple };
    Kind kind = Kind::none;
    double strength = 0;
    bool operator==(const Warp&) const = default;
};

// A kind of warp and its strength, for menus and the command line.
struct WarpInfo {
    Warp::Kind value;
    std::string_view name, unit;
    double minimum, maximum, standard;
    std::string_view meaning;
};
inline constexpr WarpInfo warp_kinds[] = {
    {Warp::Kind::none, "none", "", 0, 0, 0, "The image is not warped."},
    {Warp::Kind::swirl, "swirl", "degrees", -720, 720, 180,
     "Rotates about the image's centre, most strongly at the centre."},
    {Warp::Kind::barrel, "barrel", "", -0.5, 2, 0.3,
     "Bulges straight lines outwards, as a wide-angle lens does; below 0, inwards."},
    {Warp::Kind::ripple, "ripple", "samples", -64, 64, 4,
     "Displaces pixels in eight circular waves around the image's centre."}};
constexpr auto& names_table(Warp::Kind) { return warp_kinds; }
inline constexpr auto all_warps = all_values<Warp::Kind>;
constexpr const WarpInfo& info_of(Warp::Kind kind) { return row_of(kind); }

inline constexpr double ripples = 8;  // waves between the centre and R

// The sample-space point that is read at p, for an image of width × height.
TS_HD Point warped(const Warp& warp, Point p, int width, int height) {
    const double cx = (width - 1) / 2.0, cy = (height - 1) / 2.0;
    const double radius = (width < height ? width : height) / 2.0;
    const double dx = p.x - cx, dy = p.y - cy, r = sqrt(dx * dx + dy * dy);
    switch (warp.kind) {
        case Warp::Kind::none: return p;
        case Warp::Kind::swirl: {
            const double fall = r < radius ? 1 - r / radius : 0;
            const double angle = warp.strength * (std::numbers::pi / 180) * fall * fall;
            const double c = cos(angle), s = sin(angle);
            return {cx + c * dx - s * dy, cy + s * dx + c * dy};
        }
        case Warp::Kind::barrel: {
            const double factor = 1 + warp.strength * (r / radius) * (r / radius);
            return {cx + factor * dx, cy + factor * dy};
        }
        case Warp::Kind::ripple: {
            if (r == 0) return p;
            const double factor = 1 + warp.strength * sin(2 * std::numbers::pi * ripples * r / radius) / r;
            return {cx + factor * dx, cy + factor * dy};
        }
    }
    return p;
}

}  // namespace texelscope
