// The program's fonts through FreeType; ImGui's own if there are none.

#include <algorithm>
#include <cmath>
#include <string_view>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <imgui.h>
#include <imgui_freetype.h>

#include "app/drawing/embedded_fonts.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {
namespace {

constexpr float em = 15;                                                                // units
constexpr float small_share = 0.87f;                                                    // 13 of 15 pixels
constexpr float reading_share = 1.07f, reading_code_share = 0.95f, title_share = 1.4f;  // 16, 14 and 21 pixels

// Text, file names among it: Latin, Greek, Cyrillic, punctuation, superscripts, arrows, mathematics, geometric shapes.
constexpr ImWchar text_glyphs[] = {0x0020, 0x024F, 0x0370, 0x052F, 0x2010, 0x205E, 0x2070, 0x209C, 0x20AC, 0x20AC,
                                   0x2190, 0x21FF, 0x2200, 0x22FF, 0x25A0, 0x25FF, 0x2713, 0x2717, 0};
// Characters used by lessons.
constexpr ImWchar reading_glyphs[] = {0x0020, 0x017F, 0x0391, 0x03C9, 0x2010, 0x2044, 0x2070, 0x209C,
                                      0x2190, 0x21D4, 0x2200, 0x2265, 0x25A0, 0x25CF, 0};
// Numbers and characters beside them.
constexpr ImWchar number_glyphs[] = {0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x2044, 0x2070, 0x207B, 0x2190, 0x2194,
                                     0x2212, 0x2212, 0x221E, 0x221E, 0x2264, 0x2265, 0x25CF, 0x25CF, 0};

struct Metrics {
    float ascent = 0.95f, height = 1.2f;  // in em
};

// ImGui measures a font's size from the top of ascenders to the bottom of descenders; typographers use the em.
Metrics metrics_of(std::string_view file) {
    Metrics metrics;
    FT_Library library;
    FT_Face face;
    if (FT_Init_FreeType(&library) != 0) return metrics;
    const auto* bytes = reinterpret_cast<const FT_Byte*>(file.data());
    if (FT_New_Memory_Face(library, bytes, FT_Long(file.size()), 0, &face) == 0) {
        if (face->units_per_EM > 0 && face->ascender > face->descender) {
            metrics.ascent = float(face->ascender) / float(face->units_per_EM);
            metrics.height = float(face->ascender - face->descender) / float(face->units_per_EM);
        }
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
    return metrics;
}

ImFont* add(ImFontAtlas& atlas, std::string_view file, float size, float lower, const ImWchar* glyphs, bool merge) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    config.GlyphOffset.y = lower;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    void* bytes = const_cast<char*>(file.data());  // only read
    return atlas.AddFontFromMemoryTTF(bytes, int(file.size()), size, &config, glyphs);
}

struct Line {
    float size;      // framebuffer pixels, as ImGui counts
    float baseline;  // from its top
};

Metrics metrics_of(FontFace face) {
    return font_files(face).empty() ? Metrics{} : metrics_of(font_files(face).front());
}

// A font on the common baseline; missing characters come from the others in its list.
ImFont* add_font(ImFontAtlas& atlas, FontFace face, float em_pixels, const Line& line, const ImWchar* glyphs) {
    ImFont* font = nullptr;
    const float size = std::min(std::round(em_pixels * metrics_of(face).height), line.size);
    for (const std::string_view file : font_files(face)) {
        const Metrics m = metrics_of(file);
        const float lower = std::round(line.baseline - size * m.ascent / m.height);
        ImFont* added = add(atlas, file, size, lower, glyphs, font != nullptr);
        if (!font) font = added;
    }
    if (font) return font;
    ImFontConfig config;
    config.SizePixels = line.size;
    return atlas.AddFontDefault(&config);
}

// Those for reading: they are more than half of the work.
void add_reading_fonts(ImFontAtlas& atlas, float pixels, const Metrics& m, Fonts& fonts) {
    const float reading = std::round(pixels * reading_share), reading_size = std::round(reading * m.height);
    const Line lines{reading_size, reading_size * m.ascent / m.height};
    fonts.reading = add_font(atlas, FontFace::text, reading, lines, reading_glyphs);
    fonts.reading_bold = add_font(atlas, FontFace::heading, reading, lines, reading_glyphs);
    fonts.reading_italic = add_font(atlas, FontFace::italic, reading, lines, reading_glyphs);
    fonts.reading_code =
        add_font(atlas, FontFace::mono, std::round(pixels * reading_code_share), lines, reading_glyphs);
    const float large = std::round(pixels * title_share), large_size = std::round(large * m.height);
    fonts.title =
        add_font(atlas, FontFace::heading, large, {large_size, large_size * m.ascent / m.height}, reading_glyphs);
}

Fonts load_fonts(ImFontAtlas& atlas, float pixels_per_unit, bool for_reading) {
    Fonts fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    // ImGui's FreeType builder overruns its buffers if a single glyph takes more than 256 KiB.
    const float pixels = std::min(em * pixels_per_unit, 96.0f);
    const Metrics m = metrics_of(FontFace::text);
    const float size = std::round(pixels * m.height);
    const Line line{size, size * m.ascent / m.height};
    fonts.text = add_font(atlas, FontFace::text, pixels, line, text_glyphs);
    fonts.heading = add_font(atlas, FontFace::heading, pixels, line, number_glyphs);
    fonts.mono = add_font(atlas, FontFace::mono, pixels, line, number_glyphs);
    const float less = std::round(pixels * small_share), less_size = std::round(less * m.height);
    fonts.small = add_font(atlas, FontFace::mono, less, {less_size, less_size * m.ascent / m.height}, number_glyphs);
    fonts.reading = fonts.reading_bold = fonts.reading_italic = fonts.reading_code = fonts.title = fonts.text;
    if (for_reading) add_reading_fonts(atlas, pixels, m, fonts);
    // Draws them, and is kept for the texture.
    unsigned char* pixels_of_texture = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels_of_texture, &width, &height);
    return fonts;
}

}  // namespace

DrawnFonts draw_fonts(float pixels_per_unit) {
    DrawnFonts drawn{std::make_unique<ImFontAtlas>(), {}, pixels_per_unit};
    drawn.fonts = load_fonts(*drawn.atlas, pixels_per_unit, false);
    return drawn;
}

void load_fonts(Theme& theme) {
    static_cast<Fonts&>(theme) = load_fonts(*ImGui::GetIO().Fonts, theme.scale * theme.pixel_ratio, true);
}

}  // namespace texelscope::gui
