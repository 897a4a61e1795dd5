// Tooltips come after a moment of rest, beside what they explain.

#include <gtest/gtest.h>

#include "app/viewer/widgets/tooltips.h"

namespace texelscope::test {
namespace {

using gui::HoverRest;
using gui::TooltipRequest;

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
