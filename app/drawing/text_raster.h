#pragma once
// Text drawn into images: the program's fonts through FreeType, or the bitmap font of the test images if there are
// none.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace texelscope
