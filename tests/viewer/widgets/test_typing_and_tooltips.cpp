// Text fields: what is typed early, and sentences under the lines of a text.

#include <algorithm>
#include <cmath>
#include <future>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/gui.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {
namespace {

// Typing reaches the field it was meant for, whole and in order, however early it comes.

KeyStroke stroke(Key key, char32_t character, Modifiers modifiers = {}) {
    return {key, character, modifiers, false, false, 0};
}

KeyStroke typed(char32_t character) { return {Key::none, character, {}, true, false, -1}; }

void type(TypedAhead& ahead, std::string_view text, std::optional<Dialog> owner) {
    for (char c : text) {
        ahead.add(stroke(Key::none, char32_t(c)), owner);
        ahead.add(typed(char32_t(c)), owner);
    }
}

void press(TypedAhead& ahead, Key key, std::optional<Dialog> owner) { ahead.add(stroke(key, 0), owner); }

std::string text_of(const TypedAhead::Share& share) { return {share.text.begin(), share.text.end()}; }

Key acting_key(const TypedAhead::Share& share) { return share.keys.empty() ? Key::none : share.keys.back().key; }

TEST(TypedAhead, WaitsForTheFieldOfADialogThatHasJustOpened) {
    TypedAhead ahead;
    type(ahead, "wh", Dialog::palette);
    EXPECT_EQ(text_of(ahead.take(Dialog::palette, false)), "");
    type(ahead, "ich", Dialog::palette);
    press(ahead, Key::enter, Dialog::palette);
    EXPECT_TRUE(ahead.take(Dialog::palette, false).keys.empty());
    EXPECT_TRUE(ahead.waiting());
    const auto share = ahead.take(Dialog::palette, true);
    EXPECT_EQ(text_of(share), "which");
    EXPECT_EQ(acting_key(share), Key::enter);
    EXPECT_FALSE(ahead.waiting());
}

TEST(TypedAhead, KeysReachADialogWithoutAFieldSoonAndThenAtOnce) {
    TypedAhead ahead;
    press(ahead, Key::down, Dialog::about);
    int frames = 1;
    while (ahead.take(Dialog::about, false).keys.empty()) ASSERT_LT(++frames, 10);
    press(ahead, Key::down, Dialog::about);
    EXPECT_EQ(acting_key(ahead.take(Dialog::about, false)), Key::down);
}

TEST(TypedAhead, GoesToNoOtherDialogNorToThePanels) {
    TypedAhead ahead;
    type(ahead, "photo", Dialog::browser);
    ahead.take(Dialog::browser, false);
    EXPECT_TRUE(ahead.take({}, true).text.empty());
    EXPECT_FALSE(ahead.waiting());
    type(ahead, "photo", Dialog::browser);
    EXPECT_TRUE(ahead.take(Dialog::question, true).text.empty());
    EXPECT_FALSE(ahead.waiting());
}

TEST(TypedAhead, AFieldOfAPanelTakesItAtOnce) {
    TypedAhead ahead;
    type(ahead, "250", {});
    EXPECT_EQ(text_of(ahead.take({}, true)), "250");
}

TEST(TypedAhead, KeepsTheOrderOfTextAndKeysThatActOnIt) {
    TypedAhead ahead;
    type(ahead, "ab", {});
    press(ahead, Key::backspace, {});
    type(ahead, "c", {});
    ahead.add(stroke(Key::none, 'a', {.ctrl = true}), {});
    type(ahead, "d", {});
    auto share = ahead.take({}, true);
    EXPECT_EQ(text_of(share), "ab");
    EXPECT_EQ(acting_key(share), Key::backspace);
    share = ahead.take({}, true);  // Ctrl would keep the field from taking text
    EXPECT_EQ(text_of(share), "c");
    share = ahead.take({}, true);
    EXPECT_EQ(text_of(share), "");
    EXPECT_TRUE(share.keys.back().modifiers.ctrl);
    EXPECT_EQ(text_of(ahead.take({}, true)), "d");
    EXPECT_FALSE(ahead.waiting());
}

// What is wrong in a text stands under its line: rows of the screen against lines of the text, places in it, and sentences
// that are broken into rows.

TEST(CodeRows, WithoutErrorsALineIsItsRow) {
    const CodeRows rows({0, 0, 0});
    EXPECT_EQ(rows.count(), 3);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(rows.row_of(i), i);
        EXPECT_EQ(rows.line_at(i), i);
    }
}

TEST(CodeRows, ErrorsMoveTheLinesBelowThemOnly) {
    const CodeRows rows({0, 2, 0, 1});
    EXPECT_EQ(rows.count(), 7);
    EXPECT_EQ(rows.row_of(0), 0);
    EXPECT_EQ(rows.row_of(1), 1);
    EXPECT_EQ(rows.row_of(2), 4);
    EXPECT_EQ(rows.row_of(3), 5);
}

// Against the screen written out row by row.
TEST(CodeRows, EachRowBelongsToTheLineAtOrAboveIt) {
    std::mt19937 random(18);
    std::uniform_int_distribution<int> lines(1, 12), errors(0, 3);
    for (int round = 0; round < 200; ++round) {
        std::vector<int> following(static_cast<size_t>(lines(random))), screen;
        for (size_t i = 0; i < following.size(); ++i) {
            following[i] = errors(random);
            screen.insert(screen.end(), size_t(1 + following[i]), int(i));
        }
        const CodeRows rows(following);
        ASSERT_EQ(rows.count(), int(screen.size()));
        for (int row = 0; row < rows.count(); ++row) ASSERT_EQ(rows.line_at(row), screen[size_t(row)]);
        for (int i = 0; i < int(following.size()); ++i)
            ASSERT_EQ(rows.row_of(i), int(std::find(screen.begin(), screen.end(), i) - screen.begin()));
    }
}

TEST(CodeRows, BeyondTheEndsAreTheFirstAndTheLastLine) {
    const CodeRows rows({1, 0, 2});
    EXPECT_EQ(rows.line_at(-1), 0);
    EXPECT_EQ(rows.line_at(-1000), 0);
    EXPECT_EQ(rows.line_at(rows.count()), 2);
    EXPECT_EQ(rows.line_at(rows.count() + 1000), 2);
}

TEST(CodeRows, AnEmptyTextHasOneLine) {
    const CodeRows rows({});
    EXPECT_EQ(rows.lines(), 1);
    EXPECT_EQ(rows.count(), 1);
    EXPECT_EQ(rows.line_at(0), 0);
}

TEST(CodeText, ATextHasOneLineMoreThanBreaks) {
    EXPECT_EQ(CodeText("").lines(), 1);
    EXPECT_EQ(CodeText("a").lines(), 1);
    const CodeText text("one\n\nthree\n");
    ASSERT_EQ(text.lines(), 4);
    EXPECT_EQ(text.line(0), "one");
    EXPECT_EQ(text.line(1), "");
    EXPECT_EQ(text.line(2), "three");
    EXPECT_EQ(text.line(3), "");
}

TEST(CodeText, PlacesAreCountedInCharacters) {
    const std::string all = "π = 3\n→é\nx";
    const CodeText text(all);
    EXPECT_EQ(text.place_of(0), (CodePlace{0, 0}));
    EXPECT_EQ(text.place_of(1), (CodePlace{0, 2}));  // π has two bytes
    EXPECT_EQ(text.place_of(5), (CodePlace{0, 6}));  // before the break
    EXPECT_EQ(text.place_of(6), (CodePlace{1, 0}));
    EXPECT_EQ(text.place_of(7), (CodePlace{1, 3}));  // → has three
    EXPECT_EQ(text.place_of(8), (CodePlace{1, 5}));
    EXPECT_EQ(text.place_of(10), (CodePlace{2, 1}));
    EXPECT_EQ(text.place_of(99), (CodePlace{2, 1}));
    for (int i = 0; i <= 10; ++i) EXPECT_EQ(text.character_of(text.place_of(i)), i);
}

int line_after(int line, std::string_view before, std::string_view after) {
    return moved_along({{line, 3, "wrong"}}, before, after).front().line;
}

TEST(CodeErrors, StayWithTheirLines) {
    EXPECT_EQ(line_after(2, "a\nb\nc", "a\nb\nc"), 2);
    EXPECT_EQ(line_after(2, "a\nb\nc", "a\nb2\nc"), 2);      // typed into
    EXPECT_EQ(line_after(2, "a\nb\nc", "new\na\nb\nc"), 3);  // a line before
    EXPECT_EQ(line_after(2, "a\nb\nc", "b\nc"), 1);
    EXPECT_EQ(line_after(2, "a\nb\nc", "a\nb\nnew\nc"), 2);  // a line behind
    EXPECT_EQ(line_after(3, "a\nb\nc", "a\nc"), 2);
    EXPECT_EQ(line_after(0, "a\nb", "a\nx\nb"), 0);  // of the whole
    EXPECT_EQ(moved_along({{2, 3, "wrong"}}, "a\nb", "x\na\nb").front(), (CodeError{3, 3, "wrong"}));
}

TEST(CodeErrors, OfLinesThatAreNoMoreGoToWhatTookTheirPlace) {
    EXPECT_EQ(line_after(2, "a\nb\nc\nd", "a\nnew\nd"), 2);
    EXPECT_EQ(line_after(3, "a\nb\nc\nd", "a\nnew\nd"), 2);
    EXPECT_EQ(line_after(2, "a\nb", ""), 1);
    EXPECT_EQ(line_after(1, "", "x"), 1);
}

}  // namespace
}  // namespace texelscope::gui

namespace texelscope::test {

// Fonts and tooltips.

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

bool overlap(const gui::Box& a, float x, float y, float width, float height) {
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

TEST(Tooltip, KeepsClearOfMessages) {
    const gui::Box messages{400, 690, 480, 60};
    for (float x = 0; x < 1280; x += 61)
        for (float y = 0; y < 800; y += 37) {
            TooltipRequest r{{x, y, 100, 24}, {0, 0, 1280, 800}, 360, 120, 1280, 800, 8, messages};
            const auto at = place_tooltip(r);
            EXPECT_FALSE(overlap(r.item, at.x, at.y, r.width, r.height)) << x << ", " << y;
            const bool under = overlap(messages, r.item.x, r.item.y, r.item.width, r.item.height);
            if (!under) {
                EXPECT_FALSE(overlap(messages, at.x, at.y, r.width, r.height)) << x << ", " << y;
            }
        }
    const TooltipRequest panel{{16, 640, 290, 24}, {0, 28, 320, 744}, 360, 90, 1280, 800, 8, messages};
    EXPECT_FLOAT_EQ(place_tooltip(panel).x, 328) << "beside its panel all the same, only higher";
    TooltipRequest far = panel;
    far.item.y = 100;
    EXPECT_FLOAT_EQ(place_tooltip(far).y, 100);
}

TEST(HoverRest, ShowsATooltipOnceTheMouseHasRested) {
    HoverRest rest;
    double now = 0;
    const auto hover = [&](uint32_t item, bool moved = false) {
        now += 0.1;
        rest.begin_frame(moved);
        return rest.rested(item, now);
    };
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(hover(1, true)) << "it moves over the item";
    EXPECT_NEAR(rest.left(now), HoverRest::seconds, 1e-9);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(hover(1));
    EXPECT_NEAR(rest.left(now), 0.1, 1e-9);
    hover(1);
    EXPECT_TRUE(hover(1));
    EXPECT_LT(rest.left(now), 0) << "nothing more to wait for";
    EXPECT_TRUE(hover(1, true)) << "it stays while the mouse is on the item";
    EXPECT_FALSE(hover(2)) << "the next item has its own";
    rest.begin_frame(true);  // the mouse was elsewhere
    EXPECT_LT(rest.left(now), 0);
    EXPECT_FALSE(hover(2));
    for (int i = 0; i < 9; ++i) hover(2);
    EXPECT_TRUE(hover(2));
    rest.hide();
    EXPECT_FALSE(hover(2)) << "it does not cover what came of a key or a click";
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(hover(i < 10 ? 2 : 3)) << "the mouse has not moved since";
    EXPECT_LT(rest.left(now), 0);
    hover(3, true);
    for (int i = 0; i < 6; ++i) hover(3);
    EXPECT_TRUE(hover(3));
    rest.hide();
    rest.begin_frame(true);  // over nothing
    for (int i = 0; i < 9; ++i) hover(3);
    EXPECT_TRUE(hover(3)) << "it has moved, wherever that was";
}

// The keys that presenter mode shows, and a tooltip over the picture.
TEST(Tooltip, LeavesABoxInACornerItsSpace) {
    const gui::Box area{0, 0, 1280, 500};
    const auto usual = free_corner(area, 200, 60, 20, {});
    EXPECT_FLOAT_EQ(usual.x, 1060);
    EXPECT_FLOAT_EQ(usual.y, 420);
    for (float x = 0; x < 900; x += 50)
        for (float y = 0; y < 400; y += 30) {
            const gui::Box taken{x, y, 380, 200};
            const auto at = free_corner(area, 200, 60, 20, taken);
            EXPECT_FALSE(overlap(taken, at.x, at.y, 200, 60)) << x << ", " << y;
        }
}

}  // namespace
}  // namespace texelscope::test
