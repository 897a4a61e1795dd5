#pragma once
// Lines, areas and text drawn into an image.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/view.h"

namespace texelscope {

// Text drawn into images: the program's fonts through FreeType, or the bitmap font of the test images if there are
// none.

// 8-bit colour.
struct Paint {
    uint8_t r = 0, g = 0, b = 0;
};

class TextRaster {
public:
    enum class Face { text, heading, mono };

    TextRaster();  // with the fonts of the program
    struct Bitmap {};
    explicit TextRaster(Bitmap);  // with only the bitmap font
    ~TextRaster();
    TextRaster(const TextRaster&) = delete;
    TextRaster& operator=(const TextRaster&) = delete;

    // Width of a UTF-8 text in pixels; `em`: size of the font, pixels.
    double width(Face face, double em, std::string_view text) const;

    // The text, or its beginning with "…" if it is wider than `width` pixels; empty if not even that fits.
    std::string elided(Face face, double em, std::string_view text, double width) const;

    // Draws into a u8 image of 3 channels, clipped to it. `x`: left end, `baseline`: pixels from the top. Returns the
    // right end.
    double draw(Image& image, Face face, double em, double x, double baseline, Paint ink, std::string_view text) const;

    // Height of capital letters, pixels.
    double cap_height(Face face, double em) const;

private:
    struct Fonts;
    std::unique_ptr<Fonts> fonts_;
};

// The font files that text is drawn with: Inter and JetBrains Mono, embedded in the program. If it was built without
// them, this machine's DejaVu replaces them.

enum class FontFace { text, heading, italic, mono };

// The bytes of the font, then of those with characters it lacks; none if there is no font at all. Never freed.
const std::vector<std::string_view>& font_files(FontFace face);

// A picture to draw on: rectangles, chips, lines and text at any scale.

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
