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
        for (const gui::PlotPoint& point : gui::points_at(plot, frame, {x, y}, 10)) names += point.words->name;
        return names;
    };
    EXPECT_EQ(at(200, 200), "b");
    EXPECT_EQ(at(203, 187), "c");  // 10 is half way along the logarithmic axis; above it stands 60
    EXPECT_EQ(at(200, 191), "b");
    EXPECT_EQ(at(200, 189), "c");
    EXPECT_EQ(at(104, 296), "a");
    EXPECT_EQ(at(150, 250), "");
    plot.series.push_back({.x = {10}, .y = {51}, .style = Series::Style::dots, .words = {{"d"}}});
    EXPECT_EQ(at(200, 201), "bd") << "two that lie on one another";
    EXPECT_EQ(at(200, 180), "c");
}

}  // namespace
}  // namespace texelscope::test
