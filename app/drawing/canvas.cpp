#include "app/drawing/canvas.h"

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
#include "app/files/test_images/generators.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

void set(uint8_t* pixel, Paint ink) {
    pixel[0] = ink.r;
    pixel[1] = ink.g;
    pixel[2] = ink.b;
}

// Coverage of the pixel centred at (x, y) by a box with round corners.
double coverage(const Box& box, double radius, double x, double y) {
    const double dx = std::abs(x - box.x - box.width / 2) - box.width / 2 + radius;
    const double dy = std::abs(y - box.y - box.height / 2) - box.height / 2 + radius;
    const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0) - radius;
    return std::clamp(0.5 - outside, 0.0, 1.0);
}

}  // namespace

Canvas::Canvas(int width, int height, Paint background) : image_(width, height, 3, SampleType::u8) {
    fill({0, 0, double(width), double(height)}, background);
}

void Canvas::fill(const Box& box, Paint ink) {
    const auto clamped = [](double at, int n) { return int(std::clamp(std::round(at), 0.0, double(n))); };
    const int x0 = clamped(box.x, image_.width()), x1 = clamped(box.x + box.width, image_.width());
    const int y0 = clamped(box.y, image_.height()), y1 = clamped(box.y + box.height, image_.height());
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) set(image_.row_as<uint8_t>(y) + size_t(x) * 3, ink);
}

void Canvas::chip(const Box& box, double radius, Paint ink) {
    const int x0 = std::max(0, int(box.x)), x1 = std::min(image_.width() - 1, int(box.x + box.width));
    const int y0 = std::max(0, int(box.y)), y1 = std::min(image_.height() - 1, int(box.y + box.height));
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) blend(x, y, coverage(box, radius, x + 0.5, y + 0.5), ink);
}

void Canvas::blend(int x, int y, double coverage, Paint ink) {
    uint8_t* pixel = image_.row_as<uint8_t>(y) + size_t(x) * 3;
    const std::array colour = {ink.r, ink.g, ink.b};
    for (size_t c = 0; c < 3; ++c) pixel[c] = uint8_t(std::lround(pixel[c] * (1 - coverage) + colour[c] * coverage));
}

void Canvas::picture(int x, int y, const Image& source, int times) {
    const size_t channels = size_t(source.channels());
    const int width = std::min(source.width() * times, image_.width() - x);
    const int height = std::min(source.height() * times, image_.height() - y);
    for (int j = 0; j < height; ++j) {
        uint8_t* to = image_.row_as<uint8_t>(y + j) + size_t(x) * 3;
        const uint8_t* from = source.row_as<uint8_t>(j / times);
        for (int i = 0; i < width; ++i, to += 3) std::copy_n(from + size_t(i / times) * channels, 3, to);
    }
}

double Canvas::text(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Paint ink,
                    std::string_view text) {
    return raster.draw(image_, face, em, x, y + raster.cap_height(face, em) / 2, ink, text);
}

namespace {

// Lines on a canvas.

// Whole pixels [x0, x1) × [y0, y1).
struct Pixels {
    int x0, y0, x1, y1;
};

Pixels pixels_of(const Box& box, const Image& image) {
    const auto at = [](double v, int n) { return int(std::clamp(v, 0.0, double(n))); };
    return {at(std::floor(box.x), image.width()), at(std::floor(box.y), image.height()),
            at(std::ceil(box.x + box.width), image.width()), at(std::ceil(box.y + box.height), image.height())};
}

Pixels both(const Pixels& a, const Pixels& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

Box bounds_of(std::span<const Point> points, double reach) {
    Point low{1e30, 1e30}, high{-1e30, -1e30};
    for (const Point& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return {low.x - reach, low.y - reach, high.x - low.x + 2 * reach, high.y - low.y + 2 * reach};
}

double distance_to(const Point& a, const Point& b, double x, double y) {
    const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
    const double t = squared > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / squared, 0.0, 1.0) : 0.0;
    return std::hypot(x - a.x - t * dx, y - a.y - t * dy);
}

}  // namespace

// Coverage is gathered for the whole line first, so that pixels where its pieces meet do not count twice.
void Canvas::stroke(std::span<const Point> line, double width, Paint ink, const Box& clip) {
    const double reach = width / 2 + 0.5;
    const Pixels all = both(pixels_of(clip, image_), pixels_of(bounds_of(line, reach), image_));
    const int columns = std::max(0, all.x1 - all.x0);
    std::vector<float> coverage(size_t(columns) * size_t(std::max(0, all.y1 - all.y0)));
    for (size_t k = 0; k < line.size(); ++k) {
        const Point a = line[k], b = line[k + 1 < line.size() ? k + 1 : k];
        const Pixels box = both(all, pixels_of(bounds_of(std::array{a, b}, reach), image_));
        for (int y = box.y0; y < box.y1; ++y)
            for (int x = box.x0; x < box.x1; ++x) {
                float& sum = coverage[size_t(y - all.y0) * size_t(columns) + size_t(x - all.x0)];
                const double here = std::clamp(reach - distance_to(a, b, x + 0.5, y + 0.5), 0.0, 1.0);
                sum = std::max(sum, float(here));
            }
    }
    for (int y = all.y0; y < all.y1; ++y)
        for (int x = all.x0; x < all.x1; ++x)
            if (const float c = coverage[size_t(y - all.y0) * size_t(columns) + size_t(x - all.x0)]; c > 0)
                blend(x, y, double(c), ink);
}

void Canvas::fill_down(std::span<const Point> line, double bottom, double opacity, Paint ink, const Box& clip) {
    const Pixels all = pixels_of(clip, image_);
    for (int x = all.x0; x < all.x1 && line.size() > 1; ++x) {
        const double at = x + 0.5;
        if (at < line.front().x || at > line.back().x) continue;
        const auto after = std::upper_bound(line.begin() + 1, line.end() - 1, at,
                                            [](double value, const Point& point) { return value < point.x; });
        const Point a = *(after - 1), b = *after;
        const double top = b.x > a.x ? std::lerp(a.y, b.y, (at - a.x) / (b.x - a.x)) : b.y;
        for (int y = std::max(all.y0, int(top)); y < all.y1; ++y) {
            const double share = std::clamp(std::min(y + 1.0, bottom) - std::max(double(y), top), 0.0, 1.0);
            blend(x, y, share * opacity, ink);
        }
    }
}

void Canvas::text_upwards(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Paint ink,
                          Paint background, std::string_view text) {
    const int length = int(std::ceil(raster.width(face, em, text))) + 2, height = int(std::ceil(1.5 * em));
    Canvas lying(length, height, background);
    lying.text(raster, face, em, 1, height / 2.0, ink, text);
    const int left = int(std::lround(x - height / 2.0)), top = int(std::lround(y - length / 2.0));
    for (int j = 0; j < length; ++j)
        for (int i = 0; i < height; ++i) {
            const int to_x = left + i, to_y = top + length - 1 - j;
            if (to_x < 0 || to_y < 0 || to_x >= image_.width() || to_y >= image_.height()) continue;
            const uint8_t* from = lying.image_.row_as<uint8_t>(i) + size_t(j) * 3;
            std::copy_n(from, 3, image_.row_as<uint8_t>(to_y) + size_t(to_x) * 3);
        }
}

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
