#pragma once
// The effects of wheel, drag, keys and buttons on a View: pure functions, in output pixels and samples.

#include <string>

#include "gpu/core/image.h"
#include "gpu/core/view.h"

namespace texelscope {

// An axis-aligned region of the image in sample space; (x0, y0) is the lesser corner.
struct Region {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    double width() const { return x1 - x0; }
    double height() const { return y1 - y0; }
    bool operator==(const Region&) const = default;
};

inline constexpr double min_zoom = 0.01, max_zoom = 512;

// The lower end of the zoom's range: min_zoom, or less where an image is so large that it fits the output only below it.
double lowest_zoom(double rotate, Extent image, Extent output);

// The zoom after a step by `factor`: stops at the ends of the range, and at exactly 1 instead of passing it.
double stepped_zoom(double zoom, double factor, double lowest = min_zoom);

// The next power of two above (direction > 0) or below, within the range.
double power_of_two_zoom(double zoom, int direction, double lowest = min_zoom);

// The view at another zoom (clamped to the range); the sample under `pixel` of the output stays there.
View zoomed_about(const View& view, double zoom, Extent image, Extent output, Point pixel);

// Moves the picture by (dx, dy) output pixels.
View panned(const View& view, double dx, double dy);

// All of the image visible, as large as possible, centred; keeps the rotation.
View fitted(double rotate, Extent image, Extent output);

// 100 %, on whole samples, so that each pixel shows a sample. Keeps the position and the rotation.
View one_to_one(const View& view);

// The region centred and as large as possible; keeps the rotation.
View zoomed_to(const Region& region, double rotate, Extent image, Extent output);

// Rotated about the output's centre by `degrees`; the result lies in (−180, 180].
View rotated(const View& view, double degrees);

// Another view that is tied to `view`: offset.scale times as many samples per pixel, rotated and moved by the offset,
// in samples of its own image. With scale = w/v, an image of w samples shows the same field as one of v.
View with_offset(const View& view, const View& offset);
View without_offset(const View& view, const View& offset);  // the inverse

// The largest length up to this one that is even if the image's is and odd if that is: the output's centre reads the
// image's centre, so only then do whole samples fall on whole pixels at 100 %.
int with_parity_of(int length, int image_length);

// From a to b, t in [0, 1]. A point at the same position in a and b stays there on the way.
View between(const View& a, const View& b, double t);

// Ease-out: fast first, then settling. ease(0) = 0, ease(1) = 1.
double ease_out(double t);

// "400 % (4:1)", "50 % (1:2)", "119 % (1.19:1)"
std::string zoom_text(double zoom);

// Views of images that are parts of a frame (Image::frame): they are about the frame's centre, so that all parts of one
// frame lie where they belong.

// The image's frame, in its samples; all of its samples if it has none.
SampleRegion frame_around(const Image& image);
Extent frame_size(const Image& image);

// The view, converted to be about the centre of the image's samples, as the engine expects it.
View about_samples(const View& view, const Image& image);

}  // namespace texelscope
