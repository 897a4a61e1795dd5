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
//   plane    the image as a floor that is tilted by strength degrees about the level line through its centre, seen from a
//            distance of 2 R
//   homography   reads (x, y) at ((a x + b y + c) / w, (d x + e y + f) / w) with w = g x + h y + i, in samples
struct Warp {
    enum class Kind { none, swirl, barrel, ripple, plane, homography };
    Kind kind = Kind::none;
    double strength = 0;
    double matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // a … i, of `homography`
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
     "Displaces pixels in eight circular waves around the image's centre."},
    {Warp::Kind::plane, "plane", "degrees", 0, 85, 70,
     "Tilts the image backwards and shows it in perspective, as a floor that reaches to the horizon."},
    {Warp::Kind::homography, "homography", "", 0, 0, 0,
     "Any perspective view, by nine numbers; above the horizon there is nothing."}};
constexpr auto& names_table(Warp::Kind) { return warp_kinds; }
inline constexpr auto all_warps = all_values<Warp::Kind>;
constexpr const WarpInfo& info_of(Warp::Kind kind) { return row_of(kind); }

inline constexpr double ripples = 8;  // waves between the centre and R

// By a matrix of nine numbers; infinitely far at the horizon and above it.
TS_HD Point projected(const double* m, Point p) {
    const double w = m[6] * p.x + m[7] * p.y + m[8];
    if (!(w > 0)) return {HUGE_VAL, HUGE_VAL};
    return {(m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w};
}

// The homography over an image of another size: rx and ry times as many samples over the same field.
inline Warp over_other_size(Warp warp, double rx, double ry) {
    const double x0 = (rx - 1) / 2, y0 = (ry - 1) / 2;  // where sample 0 of the one is in the other
    double* const m = warp.matrix;
    for (int row = 0; row < 9; row += 3) {  // from samples of the other
        m[row] /= rx;
        m[row + 1] /= ry;
        m[row + 2] -= m[row] * x0 + m[row + 1] * y0;
    }
    for (int column = 0; column < 3; ++column) {  // to them
        m[column] = rx * m[column] + x0 * m[6 + column];
        m[3 + column] = ry * m[3 + column] + y0 * m[6 + column];
    }
    return warp;
}

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
        case Warp::Kind::plane: {
            const double tilt = warp.strength * (std::numbers::pi / 180), c = cos(tilt), s = sin(tilt);
            constexpr double eye = 2;  // from the centre, in R
            const double m[9] = {eye * c, 0, 0, 0, eye, 0, 0, s / radius, eye * c};
            const Point d = projected(m, {dx, dy});
            return {cx + d.x, cy + d.y};
        }
        case Warp::Kind::homography: return projected(warp.matrix, p);
    }
    return p;
}

}  // namespace texelscope
