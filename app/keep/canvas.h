#pragma once
// A picture to draw on: rectangles, chips and text at any scale.

#include "app/keep/text_raster.h"

namespace texelscope {

struct Box {
    double x = 0, y = 0, width = 0, height = 0;  // pixels
};

class Canvas {
public:
    Canvas(int width, int height, Ink background);

    const Image& image() const { return image_; }
    Image take() { return std::move(image_); }

    void fill(const Box& box, Ink ink);                 // on whole pixels
    void chip(const Box& box, double radius, Ink ink);  // with round corners, antialiased

    // Each pixel of a u8 image of 3 or 4 channels as a square of `times` pixels; alpha is not looked at.
    void picture(int x, int y, const Image& source, int times);

    // Text centred vertically on y by its capitals. Returns its right end.
    double text(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Ink ink,
                std::string_view text);

private:
    Image image_;
};

}  // namespace texelscope
