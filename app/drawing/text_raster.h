#pragma once
// Text drawn into images: the program's fonts through FreeType, and the bitmap font of the test images where there is
// none.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gpu/core/image.h"

namespace texelscope {

// 8-bit colour.
struct Paint {
    uint8_t r = 0, g = 0, b = 0;
};

class TextRaster {
public:
    enum class Face { text, heading, mono };

    TextRaster();  // with the fonts of the program
    struct Bitmap {};
    explicit TextRaster(Bitmap);  // with the bitmap font alone
    ~TextRaster();
    TextRaster(const TextRaster&) = delete;
    TextRaster& operator=(const TextRaster&) = delete;

    // Pixels that a UTF-8 text takes; `em`: size of the font, pixels.
    double width(Face face, double em, std::string_view text) const;

    // The text, or its beginning with "…" where it is wider than so many pixels; empty where not even that fits.
    std::string elided(Face face, double em, std::string_view text, double width) const;

    // Into a u8 image of 3 channels, clipped to it. `x`: left end, `baseline`: pixels from the top. Returns the right
    // end.
    double draw(Image& image, Face face, double em, double x, double baseline, Paint ink, std::string_view text) const;

    // Height of capital letters, pixels.
    double cap_height(Face face, double em) const;

private:
    struct Fonts;
    std::unique_ptr<Fonts> fonts_;
};

}  // namespace texelscope
