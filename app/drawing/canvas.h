#pragma once
// A picture to draw on: rectangles, chips, lines and text at any scale.

#include <span>

#include "app/drawing/text_raster.h"
#include "gpu/core/view.h"

namespace texelscope {

struct Box {
    double x = 0, y = 0, width = 0, height = 0;  // pixels
};

class Canvas {
public:
    Canvas(int width, int height, Paint background);

    const Image& image() const { return image_; }
    Image take() { return std::move(image_); }

    void fill(const Box& box, Paint ink);                 // on whole pixels
    void chip(const Box& box, double radius, Paint ink);  // with round corners, antialiased

    // Antialiased, with round joints, clipped to `clip`: a line through the points, this many pixels wide; and the area
    // between it and the height `bottom`. For fill_down, x must not decrease.
    void stroke(std::span<const Point> line, double width, Paint ink, const Box& clip);
    void fill_down(std::span<const Point> line, double bottom, double opacity, Paint ink, const Box& clip);

    // Each pixel of a u8 image of 3 or 4 channels as a square of `times` pixels; alpha is ignored.
    void picture(int x, int y, const Image& source, int times);

    // Text whose capitals are centred vertically on y. Returns its right end.
    double text(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Paint ink,
                std::string_view text);

    // Text that runs upwards, centred on (x, y), on a painted background.
    void text_upwards(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Paint ink,
                      Paint background, std::string_view text);

private:
    void blend(int x, int y, double coverage, Paint ink);

    Image image_;
};

}  // namespace texelscope
