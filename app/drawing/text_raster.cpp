#include "app/drawing/text_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <ft2build.h>
#include FT_FREETYPE_H

#include "app/files/bytes/embedded_files.h"
#include "app/files/bytes/file_io.h"
#include "app/files/test_images/font.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// Characters of a UTF-8 text; invalid bytes read as '?'.
std::vector<char32_t> decoded(std::string_view text) {
    std::vector<char32_t> result;
    for (size_t i = 0; i < text.size();) {
        const unsigned char lead = static_cast<unsigned char>(text[i++]);
        const int more = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : -1;
        char32_t code = more == 0 ? lead : more < 0 ? U'?' : char32_t(lead & (0x3F >> more));
        for (int k = 0; k < more; ++k) {
            if (i >= text.size() || (text[i] & 0xC0) != 0x80) {
                code = U'?';
                break;
            }
            code = code << 6 | char32_t(text[i++] & 0x3F);
        }
        result.push_back(code < 0x20 ? U' ' : code);
    }
    return result;
}

// Replacement in the bitmap font, which has only ASCII.
char plain(char32_t code) {
    if (code < 0x7F) return char(code);
    switch (code) {
        case U'·': return '-';
        case U'–':
        case U'−': return '-';
        case U'µ': return 'u';
        case U'×': return 'x';
        case U'±': return '+';
        case U'…': return '.';
        default: return '?';
    }
}

void blend(Image& image, int x, int y, Paint ink, int coverage) {
    if (x < 0 || y < 0 || x >= image.width() || y >= image.height() || coverage <= 0) return;
    uint8_t* pixel = image.row_as<uint8_t>(y) + size_t(x) * 3;
    const std::array colour = {ink.r, ink.g, ink.b};
    for (size_t c = 0; c < 3; ++c)
        pixel[c] = uint8_t((int(pixel[c]) * (255 - coverage) + int(colour[c]) * coverage + 127) / 255);
}

}  // namespace

struct TextRaster::Fonts {
    FT_Library library = nullptr;
    std::array<std::vector<FT_Face>, 3> faces;  // the font, then its substitutes

    Fonts() {
        if (FT_Init_FreeType(&library) != 0) library = nullptr;
    }
    ~Fonts() {
        for (const auto& list : faces)
            for (const FT_Face face : list) FT_Done_Face(face);
        if (library) FT_Done_FreeType(library);
    }
    Fonts(const Fonts&) = delete;
    Fonts& operator=(const Fonts&) = delete;

    void add(Face face, FontFace font) {
        for (const std::string_view file : font_files(font)) {
            FT_Face loaded = nullptr;
            const auto* bytes = reinterpret_cast<const FT_Byte*>(file.data());
            if (library && FT_New_Memory_Face(library, bytes, FT_Long(file.size()), 0, &loaded) == 0)
                faces[size_t(face)].push_back(loaded);
        }
    }

    // The first that has the character, at this size; null if there is no font at all.
    FT_Face face_for(Face face, double em, char32_t code) const {
        const auto& list = faces[size_t(face)];
        if (list.empty()) return nullptr;
        const auto has = [&](FT_Face f) { return FT_Get_Char_Index(f, code) != 0; };
        const auto found = std::find_if(list.begin(), list.end(), has);
        const FT_Face chosen = found == list.end() ? list.front() : *found;
        FT_Set_Char_Size(chosen, 0, FT_F26Dot6(std::lround(em * 64)), 72, 72);
        return chosen;
    }
};

namespace {

// Unhinted, so that a text has the same width everywhere.
double advance_of(FT_Face face, char32_t code) {
    FT_Set_Transform(face, nullptr, nullptr);
    if (FT_Load_Char(face, code, FT_LOAD_TARGET_LIGHT) != 0) return 0;
    return double(face->glyph->linearHoriAdvance) / 65536;
}

void draw_glyph(Image& image, FT_Face face, char32_t code, double x, double baseline, Paint ink) {
    const double left = std::floor(x);
    FT_Vector shift{FT_Pos(std::lround((x - left) * 64)), 0};
    FT_Set_Transform(face, nullptr, &shift);
    if (FT_Load_Char(face, code, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) return;
    const FT_GlyphSlot glyph = face->glyph;
    if (glyph->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY) return;
    const int x0 = int(left) + glyph->bitmap_left, y0 = int(std::lround(baseline)) - glyph->bitmap_top;
    for (unsigned y = 0; y < glyph->bitmap.rows; ++y)
        for (unsigned i = 0; i < glyph->bitmap.width; ++i)
            blend(image, x0 + int(i), y0 + int(y), ink, glyph->bitmap.buffer[ptrdiff_t(y) * glyph->bitmap.pitch + i]);
}

// In whole pixels of the bitmap font.
int magnification(double em) { return std::max(1, int(std::lround(em / (glyph_height + 2)))); }

void draw_bitmap(Image& image, char32_t code, double em, double x, double baseline, Paint ink) {
    const int times = magnification(em);
    // The baseline of the letters is below row 7 of 9.
    const int x0 = int(std::lround(x)), y0 = int(std::lround(baseline)) - 7 * times;
    for (int y = 0; y < glyph_height * times; ++y)
        for (int i = 0; i < glyph_width * times; ++i)
            if (glyph_pixel(plain(code), i / times, y / times)) blend(image, x0 + i, y0 + y, ink, 255);
}

}  // namespace

TextRaster::TextRaster() : TextRaster(Bitmap{}) {
    fonts_->add(Face::text, FontFace::text);
    fonts_->add(Face::heading, FontFace::heading);
    fonts_->add(Face::mono, FontFace::mono);
}

TextRaster::TextRaster(Bitmap) : fonts_(std::make_unique<Fonts>()) {}

TextRaster::~TextRaster() = default;

double TextRaster::width(Face face, double em, std::string_view text) const {
    double width = 0;
    for (const char32_t code : decoded(text)) {
        const FT_Face font = fonts_->face_for(face, em, code);
        width += font ? advance_of(font, code) : glyph_advance * magnification(em);
    }
    return width;
}

std::string TextRaster::elided(Face face, double em, std::string_view text, double width_pixels) const {
    if (width(face, em, text) <= width_pixels) return std::string(text);
    for (size_t keep = text.size(); keep-- > 0;) {
        if ((text[keep] & 0xC0) == 0x80) continue;  // between whole characters only
        std::string_view head = text.substr(0, keep);
        while (head.ends_with(' ')) head.remove_suffix(1);
        std::string shown = std::string(head) + "…";
        if (width(face, em, shown) <= width_pixels) return shown;
    }
    return {};
}

double TextRaster::draw(Image& image, Face face, double em, double x, double baseline, Paint ink,
                        std::string_view text) const {
    for (const char32_t code : decoded(text)) {
        if (const FT_Face font = fonts_->face_for(face, em, code)) {
            draw_glyph(image, font, code, x, baseline, ink);
            x += advance_of(font, code);
        } else {
            draw_bitmap(image, code, em, x, baseline, ink);
            x += glyph_advance * magnification(em);
        }
    }
    return x;
}

double TextRaster::cap_height(Face face, double em) const {
    const FT_Face font = fonts_->face_for(face, em, U'H');
    if (!font) return 7 * magnification(em);
    FT_Set_Transform(font, nullptr, nullptr);
    if (FT_Load_Char(font, U'H', FT_LOAD_TARGET_LIGHT) != 0) return 0.7 * em;
    return double(font->glyph->metrics.horiBearingY) / 64;
}

namespace {

struct FilesOfFace {
    const char *own, *stand_in;  // both in the program
    const char* dejavu;          // has characters that neither has
};

// By FontFace.
constexpr std::array<FilesOfFace, 4> faces = {{
    {"Inter-Regular.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans.ttf"},
    {"Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans-Bold.ttf"},
    {"Inter-Italic.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans-Oblique.ttf"},
    {"JetBrainsMono-Regular.ttf", "Inter-Regular.otf", "DejaVuSansMono.ttf"},
}};

// Empty if it cannot be read.
Bytes dejavu(const char* name) {
    try {
        return read_file(std::filesystem::path("/usr/share/fonts/truetype/dejavu") / name);
    } catch (const Error&) {
        return {};
    }
}

struct Fonts {
    std::array<Bytes, faces.size()> read;
    std::array<std::vector<std::string_view>, faces.size()> files;

    Fonts() {
        for (size_t i = 0; i < faces.size(); ++i) {
            for (const char* name : {faces[i].own, faces[i].stand_in})
                if (const EmbeddedFile* file = find_file(embedded_fonts(), name)) files[i].push_back(file->text);
            read[i] = dejavu(faces[i].dejavu);
            if (read[i].empty()) read[i] = dejavu(faces[0].dejavu);
            if (!read[i].empty()) files[i].emplace_back(reinterpret_cast<const char*>(read[i].data()), read[i].size());
        }
    }
};

}  // namespace

const std::vector<std::string_view>& font_files(FontFace face) {
    static const Fonts fonts;
    return fonts.files[size_t(face)];
}

}  // namespace texelscope
