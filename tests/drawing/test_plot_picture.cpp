// Plots in pixels: everything is where the SVG of the same plot has it.

#include <cmath>
#include <regex>

#include <gtest/gtest.h>

#include "app/drawing/plot_picture.h"

namespace texelscope::test {
namespace {

constexpr double scale = 3;

bool is_orange(const Image& image, double x, double y) {
    const int i = int(x * scale), j = int(y * scale);
    return image.value(i, j, 0) > image.value(i, j, 2) + 0.3f;
}

struct Line {
    double x1, y1, x2, y2;
};

Line first_line(const std::string& svg) {
    std::smatch m;
    EXPECT_TRUE(std::regex_search(
        svg, m, std::regex("<g clip-path=\"[^\"]*\"><path d=\"M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)")));
    return {std::stod(m[1]), std::stod(m[2]), std::stod(m[3]), std::stod(m[4])};
}

Plot slope(Series::Style style) {
    return {.title = "A line",
            .x = {.label = "x", .minimum = 0, .maximum = 4},
            .y = {.label = "y", .minimum = 0, .maximum = 4},
            .series = {{.x = {1, 3}, .y = {3.3, 1.3}, .style = style, .ink = Ink::orange}}};
}

TEST(PlotPicture, LinesLieWhereTheSvgHasThem) {
    const Plot plot = slope(Series::Style::line);
    const Line line = first_line(to_svg(plot));
    const Image image = plot_picture(plot, scale);
    EXPECT_EQ(image.width(), plot.width * scale);
    EXPECT_EQ(image.height(), plot.height * scale);
    for (double t = 0; t <= 1; t += 0.05) {
        const double x = std::lerp(line.x1, line.x2, t), y = std::lerp(line.y1, line.y2, t);
        EXPECT_TRUE(is_orange(image, x, y)) << t;
        EXPECT_FALSE(is_orange(image, x, y - 4)) << t;
        EXPECT_FALSE(is_orange(image, x, y + 4)) << t;
    }
}

TEST(PlotPicture, DashesLeaveGapsAndLinesDoNot) {
    for (const Series::Style style : {Series::Style::line, Series::Style::dashed}) {
        const Plot plot = slope(style);
        const Line line = first_line(to_svg(plot));
        const Image image = plot_picture(plot, scale);
        int inked = 0, changes = 0;
        bool before = true;
        constexpr int steps = 2000;
        for (int k = 0; k <= steps; ++k) {
            const double t = double(k) / steps;
            const bool here = is_orange(image, std::lerp(line.x1, line.x2, t), std::lerp(line.y1, line.y2, t));
            inked += here;
            changes += here != before;
            before = here;
        }
        const double length = std::hypot(line.x2 - line.x1, line.y2 - line.y1);
        if (style == Series::Style::line) {
            EXPECT_EQ(changes, 0);
        } else {
            EXPECT_NEAR(changes, 2 * length / 8, 4);  // 5 on, 3 off; ends are round
            EXPECT_LT(inked, 0.95 * steps);
            EXPECT_GT(inked, 0.5 * steps);
        }
    }
}

TEST(PlotPicture, NothingIsDrawnBeyondTheAxes) {
    Plot plot = slope(Series::Style::line);
    plot.series[0].x = {-2, 6};
    plot.series[0].y = {2, 2};
    const Image image = plot_picture(plot, scale);
    int left = image.width(), right = 0;
    for (int j = 0; j < image.height(); ++j)
        for (int i = 0; i < image.width(); ++i)
            if (image.value(i, j, 0) > image.value(i, j, 2) + 0.3f)
                left = std::min(left, i), right = std::max(right, i);
    EXPECT_NEAR(left, 52 * scale, 1);  // the inside, as the SVG's clip path has it
    EXPECT_NEAR(right, (plot.width - 14) * scale, 1);
}

TEST(PlotPicture, AnAreaReachesDownToTheAxis) {
    Plot plot = slope(Series::Style::area);
    plot.series[0].x = {0, 4};
    plot.series[0].y = {2, 2};
    const Image image = plot_picture(plot, scale);
    const auto tinted = [&](double y) {
        const int i = int(200 * scale), j = int(y * scale);
        return image.value(i, j, 0) > image.value(i, j, 2) + 0.05f;
    };
    const double top = 32, bottom = plot.height - 42;
    EXPECT_FALSE(tinted(0.6 * top + 0.4 * bottom));
    EXPECT_TRUE(tinted(0.4 * top + 0.6 * bottom));
    EXPECT_TRUE(tinted(bottom - 3));
    EXPECT_FALSE(tinted(bottom + 3));
}

}  // namespace
}  // namespace texelscope::test
