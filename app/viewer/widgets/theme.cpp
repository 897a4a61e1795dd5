#include "app/viewer/widgets/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <ft2build.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include FT_FREETYPE_H

#include "app/drawing/canvas.h"

namespace texelscope::gui {

const Theme& theme() { return *static_cast<const Theme*>(ImGui::GetIO().UserData); }

float px(float units) { return std::round(units * theme().scale * theme().pixel_ratio) / theme().pixel_ratio; }

namespace {

void set_sizes(ImGuiStyle& style) {
    style.WindowPadding = {12, 12};
    style.FramePadding = {8, 3};
    style.ItemSpacing = {8, 4};
    style.ItemInnerSpacing = {8, 4};
    style.CellPadding = {4, 2};
    style.IndentSpacing = 16;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 8;
    style.WindowRounding = 6;
    style.PopupRounding = 6;
    style.ChildRounding = style.FrameRounding = 4;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 3;
    style.WindowTitleAlign = {0.0f, 0.5f};
    style.WindowMenuButtonPosition = ImGuiDir_None;
}

void set_colours(ImVec4* c) {
    using namespace colour;
    c[ImGuiCol_Text] = text;
    c[ImGuiCol_TextDisabled] = secondary;
    c[ImGuiCol_WindowBg] = c[ImGuiCol_MenuBarBg] = panel;
    c[ImGuiCol_ChildBg] = rgb(0, 0);
    c[ImGuiCol_PopupBg] = rgb(0x2b2e32);
    c[ImGuiCol_Border] = c[ImGuiCol_Separator] = line;
    c[ImGuiCol_FrameBg] = field;
    c[ImGuiCol_FrameBgHovered] = rgb(0x212327);
    c[ImGuiCol_FrameBgActive] = rgb(0x17191b);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(0x2b2e32);
    c[ImGuiCol_ScrollbarBg] = rgb(0, 0);
    c[ImGuiCol_ScrollbarGrab] = line;
    c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = rgb(0x52565c);
    c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrabActive] = accent;
    c[ImGuiCol_SliderGrab] = faded(accent, 0.45f);  // the number is drawn over it
    c[ImGuiCol_PlotHistogram] = faded(progress, 0.6f);
    c[ImGuiCol_Button] = raised;
    c[ImGuiCol_ButtonHovered] = raised_hovered;
    c[ImGuiCol_ButtonActive] = line;
    c[ImGuiCol_Header] = faded(accent, 0.20f);
    c[ImGuiCol_HeaderHovered] = rgb(0xffffff, 0.07f);
    c[ImGuiCol_HeaderActive] = faded(accent, 0.30f);
    c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = accent;
    c[ImGuiCol_ResizeGrip] = rgb(0, 0);
    c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_ResizeGripActive] = line;
    c[ImGuiCol_TableHeaderBg] = panel;
    c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = line;
    c[ImGuiCol_TextSelectedBg] = faded(accent, 0.35f);
    c[ImGuiCol_NavHighlight] = accent;
}

}  // namespace

void set_style(const Theme& theme) {
    ImGuiStyle style;
    set_sizes(style);
    style.ScaleAllSizes(theme.scale);
    style.WindowBorderSize = style.PopupBorderSize = 1;
    style.ChildBorderSize = style.FrameBorderSize = 0;
    style.DisabledAlpha = 0.45f;
    set_colours(style.Colors);
    ImGui::GetStyle() = style;
    ImGui::GetIO().FontGlobalScale = 1 / theme.pixel_ratio;
}

// The program's fonts through FreeType; ImGui's own if there are none.

namespace {

constexpr float em = 15;              // units
constexpr float small_share = 0.87f;  // 13 of 15 pixels
struct ReadingShares {
    float text, code, title;
};
constexpr ReadingShares usual_shares{1.07f, 0.95f, 1.4f}, dense_shares{0.93f, 0.87f, 1.2f};  // 16, 14, 21; 14, 13, 18

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

// Adds the fonts for reading, which are more than half of the work.
void add_reading_fonts(ImFontAtlas& atlas, float pixels, const Metrics& m, const ReadingShares& shares, Fonts& fonts) {
    const float reading = std::round(pixels * shares.text), reading_size = std::round(reading * m.height);
    const Line lines{reading_size, reading_size * m.ascent / m.height};
    fonts.reading = add_font(atlas, FontFace::text, reading, lines, reading_glyphs);
    fonts.reading_bold = add_font(atlas, FontFace::heading, reading, lines, reading_glyphs);
    fonts.reading_italic = add_font(atlas, FontFace::italic, reading, lines, reading_glyphs);
    fonts.reading_code = add_font(atlas, FontFace::mono, std::round(pixels * shares.code), lines, reading_glyphs);
    const float large = std::round(pixels * shares.title), large_size = std::round(large * m.height);
    fonts.title =
        add_font(atlas, FontFace::heading, large, {large_size, large_size * m.ascent / m.height}, reading_glyphs);
}

// `shares`: of the fonts for reading; null: without these.
Fonts load_fonts(ImFontAtlas& atlas, float pixels_per_unit, const ReadingShares* shares) {
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
    if (shares) add_reading_fonts(atlas, pixels, m, *shares, fonts);
    // Draws them, and is kept for the texture.
    unsigned char* pixels_of_texture = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels_of_texture, &width, &height);
    return fonts;
}

}  // namespace

DrawnFonts draw_fonts(float pixels_per_unit) {
    DrawnFonts drawn{std::make_unique<ImFontAtlas>(), {}, pixels_per_unit};
    drawn.fonts = load_fonts(*drawn.atlas, pixels_per_unit, nullptr);
    return drawn;
}

void load_fonts(Theme& theme) {
    static_cast<Fonts&>(theme) =
        load_fonts(*ImGui::GetIO().Fonts, theme.scale * theme.pixel_ratio, theme.dense ? &dense_shares : &usual_shares);
}

namespace {

// Up to where light text, and from where dark text, has a contrast of 4.5 to 1 by itself (WCAG 2, 1.4.3).
constexpr float darkest_for_dark = 0.69f, lightest_for_light = 0.31f, middle_tone = 0.5f;

Colour tint_of(int channel, int colours, bool on_dark) {
    static constexpr Colour light[] = {rgb(0xffb3b0), rgb(0xa6f0b4), rgb(0xb4ccff)},
                            dark[] = {rgb(0x7c0d0d), rgb(0x054d17), rgb(0x10307f)};
    if (colours < 2 || channel >= colours) return on_dark ? rgb(0xf2f3f5) : rgb(0x111214);
    return on_dark ? light[channel % 3] : dark[channel % 3];
}

}  // namespace

ValueInk value_ink(int channel, int colours, float lightness) {
    const float v = std::clamp(lightness, 0.0f, 1.0f);
    const bool on_dark = v < middle_tone;
    const float needed = on_dark ? 1 - lightest_for_light / std::max(v, lightest_for_light)
                                 : (darkest_for_dark - std::min(v, darkest_for_dark)) / (1 - std::min(v, 0.99f));
    return {tint_of(channel, colours, on_dark), on_dark ? rgb(0x000000) : rgb(0xffffff), needed};
}

namespace {

// The square of an icon on whole pixels; points of it as fractions of its side.
struct Square {
    ImDrawList& draw;
    ImVec2 low;
    float side;
    ImU32 ink;
    float pen;

    Square(ImDrawList& list, ImVec2 middle, float length, ImU32 colour)
        : draw(list),
          low(std::round(middle.x - length / 2), std::round(middle.y - length / 2)),
          side(length),
          ink(colour),
          pen(std::max(1.0f, length / 13)) {}

    ImVec2 at(float x, float y) const { return {low.x + x * side, low.y + y * side}; }
    void lines(std::initializer_list<ImVec2> points, bool closed = false) const {
        std::array<ImVec2, 8> all;
        int count = 0;
        for (const ImVec2 p : points) all[size_t(count++)] = at(p.x, p.y);
        draw.AddPolyline(all.data(), count, ink, closed ? ImDrawFlags_Closed : ImDrawFlags_None, pen);
    }
    void circle(float x, float y, float radius) const { draw.AddCircle(at(x, y), radius * side, ink, 0, pen); }
};

}  // namespace

void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink, int columns, int rows) {
    const ImVec2 low{std::round(middle.x - side / 2), std::round(middle.y - side / 2)},
        high{low.x + side, low.y + side};
    draw.AddRect(low, high, ink, px(2));
    for (int i = 1; i < columns; ++i) {
        const float x = low.x + std::round(side * float(i) / float(columns));
        draw.AddLine({x, low.y}, {x, high.y}, ink);
    }
    for (int j = 1; j < rows; ++j) {
        const float y = low.y + std::round(side * float(j) / float(rows));
        draw.AddLine({low.x, y}, {high.x, y}, ink);
    }
}

void wipe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    cells_icon(draw, middle, side, ink, 1, 1);
    draw.AddRectFilled({std::round(middle.x - side / 2), std::round(middle.y - side / 2)},
                       {middle.x, std::round(middle.y + side / 2)}, ink, px(2));
}

void folder_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.04f, 0.84f}, {0.04f, 0.16f}, {0.38f, 0.16f}, {0.48f, 0.3f}, {0.96f, 0.3f}, {0.96f, 0.84f}}, true);
}

void file_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.16f, 0.08f}, {0.58f, 0.08f}, {0.82f, 0.32f}, {0.82f, 0.92f}, {0.16f, 0.92f}}, true);
}

void fit_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    constexpr float near = 0.06f, far = 0.94f, arm = 0.28f;
    icon.lines({{near, near + arm}, {near, near}, {near + arm, near}});
    icon.lines({{far - arm, near}, {far, near}, {far, near + arm}});
    icon.lines({{far, far - arm}, {far, far}, {far - arm, far}});
    icon.lines({{near + arm, far}, {near, far}, {near, far - arm}});
    draw.AddRectFilled(icon.at(0.34f, 0.34f), icon.at(0.66f, 0.66f), ink, px(1));
}

void one_to_one_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    for (const float x : {0.2f, 0.88f}) icon.lines({{x - 0.16f, 0.28f}, {x, 0.14f}, {x, 0.88f}});
    for (const float y : {0.4f, 0.7f}) draw.AddCircleFilled(icon.at(0.5f, y), side / 14, ink);
}

void difference_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.circle(0.34f, 0.5f, 0.3f);
    icon.circle(0.66f, 0.5f, 0.3f);
}

void loupe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.circle(0.42f, 0.42f, 0.34f);
    icon.lines({{0.67f, 0.67f}, {0.96f, 0.96f}});
}

void podium_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.04f, 0.92f},
                {0.04f, 0.56f},
                {0.35f, 0.56f},
                {0.35f, 0.2f},
                {0.65f, 0.2f},
                {0.65f, 0.7f},
                {0.96f, 0.7f},
                {0.96f, 0.92f}},
               true);
}

void export_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.06f, 0.6f}, {0.06f, 0.94f}, {0.94f, 0.94f}, {0.94f, 0.6f}});
    icon.lines({{0.5f, 0.7f}, {0.5f, 0.08f}});
    icon.lines({{0.28f, 0.3f}, {0.5f, 0.08f}, {0.72f, 0.3f}});
}

void book_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.5f, 0.24f}, {0.34f, 0.14f}, {0.04f, 0.14f}, {0.04f, 0.8f}, {0.34f, 0.8f}, {0.5f, 0.9f}});
    icon.lines({{0.5f, 0.24f}, {0.66f, 0.14f}, {0.96f, 0.14f}, {0.96f, 0.8f}, {0.66f, 0.8f}, {0.5f, 0.9f}});
    icon.lines({{0.5f, 0.24f}, {0.5f, 0.9f}});
}

void HoverRest::begin_frame(bool mouse_moved) {
    ++frame_;
    moved_ = mouse_moved;
    hidden_ = hidden_ && !mouse_moved;
}

bool HoverRest::rested(uint32_t item, double now) {
    const bool same = item == item_ && frame_ <= item_frame_ + 1;
    if (!same || hidden_ || (moved_ && !shown_)) since_ = now;
    shown_ = same && !hidden_ && (shown_ || now - since_ >= seconds);
    item_ = item;
    item_frame_ = frame_;
    return shown_;
}

double HoverRest::left(double now) const {
    return item_frame_ == frame_ && !shown_ && !hidden_ ? std::max(seconds - (now - since_), 0.0) : -1;
}

}  // namespace texelscope::gui
