// Points of a plot that the mouse finds.

#include "app/viewer/widgets/plot_points.h"

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

TEST(PlotPoints, TheMouseFindsTheNearestPointThatHasWords) {
    Plot plot;
    plot.series = {{.x = {1, 10, 10}, .y = {0, 50, 60}, .style = Series::Style::dots, .words = {{"a"}, {"b"}, {"c"}}},
                   {.x = {10}, .y = {57}, .style = Series::Style::dots}};
    const gui::PlotFrame frame({.minimum = 1, .maximum = 100, .logarithmic = true}, {.minimum = 0, .maximum = 100},
                               {100, 100}, {300, 300});  // two pixels for each unit of y, 100 for a power of ten
    const auto at = [&](float x, float y) {
        std::string names;
        for (const gui::PlotPoint& point : gui::nearest_points(plot, frame, {x, y})) names += point.words->name;
        return names;
    };
    EXPECT_EQ(at(200, 200), "b");
    EXPECT_EQ(at(203, 187), "c");  // 10 is half way along the logarithmic axis; above it stands 60
    EXPECT_EQ(at(200, 191), "b");
    EXPECT_EQ(at(200, 189), "c");
    EXPECT_EQ(at(104, 296), "a");
    EXPECT_EQ(at(150, 250), "a") << "between points there is nothing to read, so the nearest one is read";
    EXPECT_EQ(gui::nearest_points(plot, frame, {152, 240})[0].x, 10) << "its value, not that under the mouse";
    plot.series.push_back({.x = {10}, .y = {51}, .style = Series::Style::dots, .words = {{"d"}}});
    EXPECT_EQ(at(200, 201), "bd") << "two that lie on one another";
    EXPECT_EQ(at(200, 180), "c");
    const gui::PlotFrame zoomed({.minimum = 5, .maximum = 100}, {.minimum = 0, .maximum = 100}, {100, 100}, {300, 300});
    EXPECT_EQ(gui::nearest_points(plot, zoomed, {100, 300})[0].words->name, "b") << "the first is out of view";
}

}  // namespace
}  // namespace texelscope::test
