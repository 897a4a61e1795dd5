#pragma once
// View: which part of the image a pane shows; and the affine map from output space to sample space that it describes.

#include <cstddef>

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

}  // namespace texelscope
