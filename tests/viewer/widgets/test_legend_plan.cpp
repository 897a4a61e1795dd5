// The legend of the picture area: there at every size, and never wider than the picture.

#include <gtest/gtest.h>

#include "app/viewer/widgets/legend_plan.h"

namespace texelscope::test {
namespace {

using gui::LegendPlan;
using gui::LegendRequest;

// Letters of 7 units.
LegendRequest request(float width, float scale) {
    LegendRequest r;
    r.width = width;
    r.height = 300;
    r.scale = scale;
    r.words = {"difference and dB against quintic B-spline", "against quintic B-spline"};
    r.low = "<= -31.9";
    r.high = ">= 31.9";
    r.text_size = 12 * scale;
    r.width_of = [scale](const std::string& text) { return 7 * scale * float(text.size()); };
    return r;
}

std::string all_of(const LegendPlan& plan) {
    std::string text;
    for (const auto& each : plan.texts) text += each.text + "|";
    return text;
}

TEST(LegendPlan, HasItsBarAndValuesAtEverySizeWithinThePicture) {
    for (const float scale : {1.0f, 2.0f})
        for (float width = 190 * scale; width < 2000; width += 31) {
            const LegendPlan plan = gui::plan_legend(request(width, scale));
            ASSERT_FALSE(plan.empty());
            EXPECT_LE(plan.width, width - 20 * scale) << width << " at " << scale;
            EXPECT_GE(plan.bar_width, 24 * scale);
            EXPECT_NE(all_of(plan).find("<= -31.9|"), std::string::npos);
            EXPECT_NE(all_of(plan).find(">= 31.9|"), std::string::npos);
            EXPECT_LE(plan.bar_y + plan.bar_height, plan.height);
        }
}

TEST(LegendPlan, IsOneRowWhereThereIsSpace) {
    const LegendPlan wide = gui::plan_legend(request(900, 1)), narrow = gui::plan_legend(request(300, 1));
    EXPECT_LT(wide.height, 24);
    EXPECT_GT(narrow.height, wide.height);
    EXPECT_NE(all_of(narrow).find("against quintic B-spline"), std::string::npos) << "the name is never lost";
}

TEST(LegendPlan, TakesAtMostAQuarterOfALowPicture) {
    LegendRequest r = request(300, 2);
    r.mask = "hatched: outside";
    r.height = 900;
    EXPECT_NE(all_of(gui::plan_legend(r)).find("hatched"), std::string::npos);
    for (const float height : {200.0f, 120.0f}) {
        r.height = height;
        const LegendPlan low = gui::plan_legend(r);
        EXPECT_LE(low.height, height / 4 + 20);
        EXPECT_GT(low.bar_width, 0);
        EXPECT_EQ(all_of(low).find("hatched"), std::string::npos);
    }
}

TEST(LegendPlan, HasASwatchBesideEachMark) {
    for (const float width : {900.0f, 300.0f, 190.0f})
        for (const float height : {300.0f, 40.0f}) {
            LegendRequest r = request(width, 1);
            r.height = height;
            r.marks = {"NaN", "+oo"};
            const LegendPlan plan = gui::plan_legend(r);
            ASSERT_EQ(plan.swatches.size(), 2u);
            EXPECT_NE(all_of(plan).find("NaN|+oo|"), std::string::npos);
            EXPECT_GT(plan.swatches[1].x, plan.swatches[0].x + plan.swatches[0].side + 3 * 7) << "behind the text";
            for (const auto& swatch : plan.swatches) EXPECT_LE(swatch.y + swatch.side, plan.height);
            EXPECT_LE(plan.width, width - 20);
            r.words.clear();
            r.low = r.high = "";
            EXPECT_EQ(all_of(gui::plan_legend(r)), "NaN|+oo|") << "alone";
        }
}

TEST(LegendPlan, WithoutDifferencesIsOnlyTheName) {
    LegendRequest r = request(900, 1);
    r.low = r.high = "";
    LegendPlan plan = gui::plan_legend(r);
    EXPECT_EQ(all_of(plan), "difference and dB against quintic B-spline|");
    EXPECT_EQ(plan.bar_width, 0);
    r.words.clear();
    EXPECT_TRUE(gui::plan_legend(r).empty());
}

}  // namespace
}  // namespace texelscope::test
