// What label chips show: as much as leaves the pane its picture.

#include <gtest/gtest.h>

#include "app/viewer/widgets/chip_plan.h"

namespace texelscope::test {
namespace {

using gui::ChipPlan;
using gui::ChipRequest;

size_t letters(const std::string& text) {
    size_t count = 0;
    for (const char c : text) count += (c & 0xC0) != 0x80;
    return count;
}

// Letters of 8 and 7 units.
ChipRequest pane(float width, float height, float scale = 1) {
    ChipRequest r;
    r.width = width;
    r.height = height;
    r.scale = scale;
    r.badge = "A";
    r.labels = {"Lagrange, four points · antialiased", "Lagrange, four points", "lagrange4"};
    r.figures = {"against quintic B-spline: 31.1 dB", "31.1 dB"};
    r.values = {"→ [0.412 0.388 0.301]", "0.412 0.388 0.301", ".412 .388 .301"};
    r.text = {15 * scale, [=](const std::string& text) { return 8 * scale * float(letters(text)); }};
    r.small = {12 * scale, [=](const std::string& text) { return 7 * scale * float(letters(text)); }};
    return r;
}

ChipPlan plan_chip(const ChipRequest& request) { return gui::plan_chip(request, gui::chip_level(request)); }

bool shows_value(const ChipPlan& plan) {
    for (const gui::ChipRow& row : plan.rows)
        if (row.value) return true;
    return false;
}

TEST(ChipPlan, NeverCoversMoreThanAFifthNorLeavesThePane) {
    for (float width = 40; width < 1300; width += 37)
        for (float height = 40; height < 900; height += 43)
            for (const bool at_cursor : {false, true}) {
                ChipRequest request = pane(width, height);
                request.at_cursor = at_cursor;
                const ChipPlan plan = plan_chip(request);
                if (plan.empty()) continue;
                EXPECT_LE(plan.inset + plan.widest(), width);
                const bool least = plan.label.empty() && plan.rows.empty();  // a letter tells panes apart
                EXPECT_TRUE(least || covered_share(request, plan) <= 0.2f) << width << "×" << height;
            }
}

TEST(ChipPlan, OfALargePaneHasLabelFigureAndValue) {
    ChipRequest request = pane(640, 600);
    ChipPlan plan = plan_chip(request);
    EXPECT_EQ(plan.label, request.labels[0]);
    ASSERT_EQ(plan.rows.size(), 1u);
    EXPECT_EQ(plan.rows[0].text, request.figures[0]);
    request.at_cursor = true;
    plan = plan_chip(request);
    ASSERT_EQ(plan.rows.size(), 2u);
    EXPECT_EQ(plan.rows[0].text, request.figures[0]) << "nothing jumps";
    EXPECT_EQ(plan.rows[1].text, request.values[0]);
}

TEST(ChipPlan, ANameThatIsTheSameAtAllSizesIsWrittenLarge) {
    ChipRequest request = pane(960, 600);
    request.labels = {"half a sample off", "half a sample off"};
    request.figures.clear();
    const ChipPlan plan = plan_chip(request);
    EXPECT_EQ(plan.label, "half a sample off");
    EXPECT_FALSE(plan.compact);
}

// 16 panes of a window of 1280×800 with the panel, and with plots as well.
TEST(ChipPlan, OfASmallPaneHasTheFigureOrTheWholeValue) {
    for (const auto& [width, height] : {std::pair{240.0f, 184.0f}, {160.0f, 184.0f}, {128.0f, 184.0f}}) {
        ChipRequest request = pane(width, height);
        const ChipPlan resting = plan_chip(request);
        ASSERT_EQ(resting.rows.size(), 1u) << width;
        EXPECT_EQ(resting.rows[0].text, "31.1 dB");
        EXPECT_FALSE(resting.label.empty());
        request.at_cursor = true;
        const ChipPlan plan = plan_chip(request);
        ASSERT_FALSE(plan.rows.empty());
        EXPECT_TRUE(plan.rows.back().value);
        const std::string& value = plan.rows.back().text;
        EXPECT_TRUE(value.ends_with("301") || value.ends_with("301]")) << value;
        EXPECT_EQ(plan.label, resting.label);
        EXPECT_EQ(plan.compact, resting.compact);
    }
}

// Two panes beside the panel in a window of 1280×800 at scale 2.
TEST(ChipPlan, ShowsTheValueAtScaleTwo) {
    ChipRequest request = pane(320, 690, 2);
    request.at_cursor = true;
    EXPECT_TRUE(shows_value(plan_chip(request)));
}

TEST(ChipPlan, OfATinyPaneHasLetterAndShortName) {
    const ChipPlan plan = plan_chip(pane(110, 76));
    EXPECT_TRUE(plan.compact);
    EXPECT_TRUE(plan.rows.empty());
    EXPECT_EQ(plan.label, "lagrange4");
    EXPECT_EQ(plan_chip(pane(48, 40)).label, "");
    EXPECT_TRUE(plan_chip(pane(12, 40)).empty());
}

}  // namespace
}  // namespace texelscope::test
