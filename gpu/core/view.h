#pragma once
// View: which part of the image a pane shows; and the affine map from output space to sample space that it describes.

#include "gpu/core/names.h"

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

}  // namespace texelscope
