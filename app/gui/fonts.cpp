// Fonts: Inter and JetBrains Mono through FreeType, DejaVu where they lack a glyph or are not installed, at last
// ImGui's own.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <imgui.h>
#include <imgui_freetype.h>

#include "app/gui/theme.h"

#ifndef TEXELSCOPE_FONT_UI
#define TEXELSCOPE_FONT_UI ""
#define TEXELSCOPE_FONT_MONO ""
#endif

namespace texelscope::gui {
namespace {

constexpr float em = 15;  // units; LOOK.md
constexpr float small_share = 0.87f;  // 13 of 15 pixels
constexpr float reading_share = 1.07f, reading_code_share = 0.95f, title_share = 1.4f;  // 16, 14 and 21 pixels

// Text, file names among it: Latin, Greek, Cyrillic, punctuation, superscripts, arrows, mathematics, geometric shapes.
constexpr ImWchar text_glyphs[] = {0x0020, 0x024F, 0x0370, 0x052F, 0x2010, 0x205E, 0x2070, 0x209C, 0x20AC, 0x20AC,
                                   0x2190, 0x21FF, 0x2200, 0x22FF, 0x25A0, 0x25FF, 0x2713, 0x2717, 0};
// What lessons are written with.
constexpr ImWchar reading_glyphs[] = {0x0020, 0x017F, 0x0391, 0x03C9, 0x2010, 0x2044, 0x2070, 0x209C, 0x2190, 0x21D4,
                                      0x2200, 0x2265, 0x25A0, 0x25CF, 0};
// Numbers and what stands beside them.
constexpr ImWchar number_glyphs[] = {0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x2044, 0x2070, 0x207B, 0x2190, 0x2194,
                                     0x2212, 0x2212, 0x221E, 0x221E, 0x2264, 0x2265, 0x25CF, 0x25CF, 0};

bool exists(const std::string& path) {
    std::error_code none;
    return !path.empty() && std::filesystem::is_regular_file(path, none);
}

std::string first_of(std::initializer_list<std::string> paths) {
    for (const std::string& path : paths)
        if (exists(path)) return path;
    return {};
}

struct Metrics {
    float ascent = 0.95f, height = 1.2f;  // in em
};

// ImGui counts a font's size from the ascenders' top to the descenders' foot; typographers count the em.
Metrics metrics_of(const std::string& path) {
    Metrics metrics;
    FT_Library library;
    FT_Face face;
    if (FT_Init_FreeType(&library) != 0) return metrics;
    if (FT_New_Face(library, path.c_str(), 0, &face) == 0) {
        if (face->units_per_EM > 0 && face->ascender > face->descender) {
            metrics.ascent = float(face->ascender) / float(face->units_per_EM);
            metrics.height = float(face->ascender - face->descender) / float(face->units_per_EM);
        }
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
    return metrics;
}

ImFont* add(const std::string& path, float size, float lower, const ImWchar* glyphs, bool merge) {
    ImFontConfig config;
    config.MergeMode = merge;
    config.GlyphOffset.y = lower;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    return ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), size, &config, glyphs);
}

struct Line {
    float size;      // framebuffer pixels, as ImGui counts
    float baseline;  // from its top
};

// A font on the common line; what it lacks comes from the fallback.
ImFont* add_font(const std::string& path, const std::string& fallback, float em_pixels, const Line& line,
                 const ImWchar* glyphs) {
    if (path.empty()) {
        ImFontConfig config;
        config.SizePixels = line.size;
        return ImGui::GetIO().Fonts->AddFontDefault(&config);
    }
    const auto lowered = [&](const std::string& file, float size) {
        const Metrics m = metrics_of(file);
        return std::round(line.baseline - size * m.ascent / m.height);
    };
    const float size = std::min(std::round(em_pixels * metrics_of(path).height), line.size);
    ImFont* font = add(path, size, lowered(path, size), glyphs, false);
    if (!fallback.empty() && fallback != path) add(fallback, size, lowered(fallback, size), glyphs, true);
    return font;
}

}  // namespace

void load_fonts(Theme& theme) {
    const std::string dejavu = "/usr/share/fonts/truetype/dejavu/";
    // For signs that the fonts of our own choice lack; each has some of the other's.
    const std::string plain = first_of({dejavu + "DejaVuSans.ttf", TEXELSCOPE_FONT_MONO});
    const std::string plain_mono = first_of({dejavu + "DejaVuSansMono.ttf", TEXELSCOPE_FONT_UI});
    const std::string text = first_of({TEXELSCOPE_FONT_UI, plain});
    const std::string folder = std::filesystem::path(text).parent_path().string();
    const std::string heading = first_of({folder + "/Inter-SemiBold.otf", dejavu + "DejaVuSans-Bold.ttf", text});
    const std::string mono = first_of({TEXELSCOPE_FONT_MONO, plain_mono});

    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    // ImGui's FreeType builder overruns its buffers where a single glyph takes more than 256 KiB.
    const float pixels = std::min(em * theme.scale * theme.pixel_ratio, 96.0f);
    const Metrics m = metrics_of(text);
    const float size = std::round(pixels * m.height);
    const Line line{size, size * m.ascent / m.height};
    theme.text = add_font(text, plain, pixels, line, text_glyphs);
    theme.heading = add_font(heading, plain, pixels, line, number_glyphs);
    theme.mono = add_font(mono, plain_mono, pixels, line, number_glyphs);
    const float less = std::round(pixels * small_share), less_size = std::round(less * m.height);
    theme.small = add_font(mono, plain_mono, less, {less_size, less_size * m.ascent / m.height}, number_glyphs);
    const float reading = std::round(pixels * reading_share), reading_size = std::round(reading * m.height);
    const Line lines{reading_size, reading_size * m.ascent / m.height};
    const std::string italic = first_of({folder + "/Inter-Italic.otf", dejavu + "DejaVuSans-Oblique.ttf", text});
    theme.reading = add_font(text, plain, reading, lines, reading_glyphs);
    theme.reading_bold = add_font(heading, plain, reading, lines, reading_glyphs);
    theme.reading_italic = add_font(italic, plain, reading, lines, reading_glyphs);
    theme.reading_code = add_font(mono, plain_mono, std::round(pixels * reading_code_share), lines, reading_glyphs);
    const float large = std::round(pixels * title_share), large_size = std::round(large * m.height);
    theme.title = add_font(heading, plain, large, {large_size, large_size * m.ascent / m.height}, reading_glyphs);
    ImGui::GetIO().FontGlobalScale = 1 / theme.pixel_ratio;
}

}  // namespace texelscope::gui
