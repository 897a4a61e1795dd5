// Fonts that are drawn before there is a context.

#include <algorithm>
#include <cmath>
#include <future>

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/viewer/widgets/theme.h"

namespace texelscope::test {
namespace {

struct Atlas {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    explicit Atlas(ImFontAtlas& atlas) { atlas.GetTexDataAsRGBA32(&pixels, &width, &height); }
    const unsigned char* at(float u, float v, int x, int y) const {
        return pixels + 4 * (size_t(std::lround(v * float(height)) + y) * size_t(width) +
                             size_t(std::lround(u * float(width)) + x));
    }
};

bool same(const Atlas& atlas, const ImFontGlyph& a, const Atlas& other, const ImFontGlyph& b) {
    if (a.Codepoint != b.Codepoint || a.AdvanceX != b.AdvanceX || a.X0 != b.X0 || a.Y0 != b.Y0 || a.X1 != b.X1 ||
        a.Y1 != b.Y1)
        return false;
    const int width = int(std::lround(a.X1 - a.X0)), height = int(std::lround(a.Y1 - a.Y0));
    for (int y = 0; y < height; ++y)
        if (!std::equal(atlas.at(a.U0, a.V0, 0, y), atlas.at(a.U0, a.V0, width, y), other.at(b.U0, b.V0, 0, y)))
            return false;
    return true;
}

// Glyph by glyph those of a context, which lie elsewhere in its texture.
TEST(Fonts, DrawnInAThreadAreTheSame) {
    for (const float scale : {1.0f, 1.5f}) {
        const gui::DrawnFonts drawn = std::async(std::launch::async, gui::draw_fonts, scale).get();
        EXPECT_EQ(drawn.pixels_per_unit, scale);
        ImGui::CreateContext();
        gui::Theme theme;
        theme.scale = scale;
        gui::load_fonts(theme);
        const Atlas atlas(*drawn.atlas), expected(*ImGui::GetIO().Fonts);
        for (const auto font : {&gui::Fonts::text, &gui::Fonts::heading, &gui::Fonts::mono, &gui::Fonts::small}) {
            const ImFont &a = *(drawn.fonts.*font), &b = *(theme.*font);
            EXPECT_EQ(a.FontSize, b.FontSize);
            ASSERT_EQ(a.Glyphs.Size, b.Glyphs.Size);
            for (int n = 0; n < a.Glyphs.Size; ++n)
                ASSERT_TRUE(same(atlas, a.Glyphs[n], expected, b.Glyphs[n])) << a.Glyphs[n].Codepoint;
        }
        EXPECT_GT(drawn.fonts.text->Glyphs.Size, 1000);
        ImGui::DestroyContext();
    }
}

// For the frame in which a lesson is opened.
TEST(Fonts, WhatStandsInForThoseForReadingHasAllTheirGlyphs) {
    const gui::DrawnFonts drawn = gui::draw_fonts(1);
    ImGui::CreateContext();
    gui::Theme theme;
    gui::load_fonts(theme);
    for (const auto font : {&gui::Fonts::reading, &gui::Fonts::reading_bold, &gui::Fonts::reading_italic,
                            &gui::Fonts::reading_code, &gui::Fonts::title}) {
        ASSERT_NE(drawn.fonts.*font, nullptr);
        EXPECT_NE(theme.*font, theme.text) << "otherwise this says nothing";
        for (const ImFontGlyph& glyph : (theme.*font)->Glyphs)
            EXPECT_NE((drawn.fonts.*font)->FindGlyphNoFallback(ImWchar(glyph.Codepoint)), nullptr) << glyph.Codepoint;
    }
    ImGui::DestroyContext();
}

}  // namespace
}  // namespace texelscope::test
