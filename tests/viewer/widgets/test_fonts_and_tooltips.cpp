// Fonts and tooltips.

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <future>

#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/tooltips.h"

namespace texelscope::test {
namespace {

// Fonts that are drawn before there is a context.

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

using gui::HoverRest;
using gui::TooltipRequest;

// Tooltips come after a moment of rest, beside what they explain.

bool overlap(const gui::TooltipBox& a, float x, float y, float width, float height) {
    return x < a.right() && x + width > a.x && y < a.bottom() && y + height > a.y;
}

TEST(Tooltip, CoversNeitherItsItemNorAListThatLeavesSpaceBesideIt) {
    const TooltipRequest left{{16, 300, 290, 24}, {0, 28, 320, 744}, 360, 90, 1280, 800, 8};
    TooltipRequest right = left;
    right.item.x = 980;
    right.window.x = 960;
    for (const TooltipRequest& r : {left, right}) {
        const auto at = place_tooltip(r);
        EXPECT_FALSE(overlap(r.window, at.x, at.y, r.width, r.height));
        EXPECT_FLOAT_EQ(at.y, r.item.y);
    }
    const TooltipRequest bar{{600, 772, 120, 28}, {0, 772, 1280, 28}, 360, 90, 1280, 800, 8};
    const auto above = place_tooltip(bar);
    EXPECT_LE(above.y + bar.height, bar.item.y);
    EXPECT_FLOAT_EQ(above.x, bar.item.x);
}

TEST(Tooltip, IsOnTheScreenAndOffItsItemWhereverThatIs) {
    for (float x = 0; x < 1280; x += 61)
        for (float y = 0; y < 800; y += 37) {
            const TooltipRequest r{{x, y, 100, 24}, {0, 0, 1280, 800}, 360, 200, 1280, 800, 8};
            const auto at = place_tooltip(r);
            EXPECT_GE(at.x, 0);
            EXPECT_GE(at.y, 0);
            EXPECT_LE(at.x + r.width, r.screen_x);
            EXPECT_LE(at.y + r.height, r.screen_y);
            EXPECT_FALSE(overlap(r.item, at.x, at.y, r.width, r.height)) << x << ", " << y;
        }
}

TEST(HoverRest, ShowsATooltipOnceTheMouseHasRested) {
    HoverRest rest;
    int frame = 0;
    double now = 0;
    const auto hover = [&](uint32_t item, bool moved = false, bool pressed = false) {
        now += 0.1;
        return rest.rested(item, ++frame, now, moved, pressed);
    };
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(hover(1, true)) << "it moves over the item";
    EXPECT_NEAR(rest.left(frame, now), HoverRest::seconds, 1e-9);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(hover(1));
    EXPECT_NEAR(rest.left(frame, now), 0.1, 1e-9);
    hover(1);
    EXPECT_TRUE(hover(1));
    EXPECT_LT(rest.left(frame, now), 0) << "nothing more to wait for";
    EXPECT_TRUE(hover(1, true)) << "it stays while the mouse is on the item";
    EXPECT_FALSE(hover(2)) << "the next item has its own";
    EXPECT_FALSE(hover(2, false, true));
    ++frame;  // the mouse was elsewhere
    EXPECT_LT(rest.left(frame, now), 0);
    EXPECT_FALSE(hover(2));
}

// The keys that presenter mode shows, and a tooltip over the picture.
TEST(Tooltip, LeavesABoxInACornerItsSpace) {
    const gui::TooltipBox area{0, 0, 1280, 500};
    const auto usual = free_corner(area, 200, 60, 20, {});
    EXPECT_FLOAT_EQ(usual.x, 1060);
    EXPECT_FLOAT_EQ(usual.y, 420);
    for (float x = 0; x < 900; x += 50)
        for (float y = 0; y < 400; y += 30) {
            const gui::TooltipBox taken{x, y, 380, 200};
            const auto at = free_corner(area, 200, 60, 20, taken);
            EXPECT_FALSE(overlap(taken, at.x, at.y, 200, 60)) << x << ", " << y;
        }
}

}  // namespace
}  // namespace texelscope::test
