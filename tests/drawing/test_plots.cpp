// Plots: as SVG, in pixels, and their labels.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <regex>

#include "app/drawing/plot.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The plot writer: ticks at round numbers, curves where they belong, the same bytes for the same plot.

std::vector<std::string> labels(const PlotAxis& axis, int wanted) {
    std::vector<std::string> result;
    for (const Tick& tick : round_ticks(axis, wanted)) result.push_back(tick.label);
    return result;
}

PlotAxis linear(double minimum, double maximum) { return {.minimum = minimum, .maximum = maximum}; }
PlotAxis logarithmic(double minimum, double maximum) {
    return {.minimum = minimum, .maximum = maximum, .logarithmic = true};
}

TEST(Plot, TicksStandAtOneTwoOrFiveTimesAPowerOfTen) {
    EXPECT_THAT(labels(linear(0, 1), 5), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
    EXPECT_THAT(labels(linear(-100, 10), 5), ElementsAre("−100", "−80", "−60", "−40", "−20", "0"));
    EXPECT_THAT(labels(linear(0, 4), 7), ElementsAre("0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"));
    EXPECT_THAT(labels(linear(1000, 2000), 2), ElementsAre("1000", "1500", "2000"));
    EXPECT_THAT(labels(linear(0.1, 0.13), 3), ElementsAre("0.10", "0.11", "0.12", "0.13"));
    EXPECT_THAT(labels(linear(0, 2e30), 2), ElementsAre("0", "1e+30", "2e+30"));
    EXPECT_THAT(labels(linear(-2e-9, 2e-9), 2), ElementsAre("−2e-09", "0", "2e-09"));
    EXPECT_THAT(labels(linear(0, 96), 10), ElementsAre("0", "10", "20", "30", "40", "50", "60", "70", "80", "90"));
}

TEST(Plot, LogarithmicTicksStandAtPowersOfTen) {
    EXPECT_THAT(labels(logarithmic(1e-4, 1), 6), ElementsAre("10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"));
    EXPECT_THAT(labels(logarithmic(1, 100), 6), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
    EXPECT_THAT(labels(logarithmic(1e-12, 1), 4), ElementsAre("10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"));
}

TEST(Plot, ANarrowLogarithmicAxisHasMoreThanOneTick) {
    EXPECT_THAT(labels(logarithmic(11, 19), 4), ElementsAre("12", "14", "16", "18"));
    EXPECT_THAT(labels(logarithmic(0.8, 1.6), 4), ElementsAre("0.8", "1.0", "1.2", "1.4", "1.6"));
}

// The points of the first curve, in pixels.
std::vector<std::pair<double, double>> first_path(const std::string& svg) {
    std::smatch path;
    EXPECT_TRUE(std::regex_search(svg, path, std::regex("<g clip-path=\"[^\"]*\"><path d=\"([^\"]*)\"")));
    const std::string steps = path[1];
    std::vector<std::pair<double, double>> points;
    const std::regex step("[ML](-?[0-9.]+) (-?[0-9.]+)");
    for (auto at = std::sregex_iterator(steps.begin(), steps.end(), step); at != std::sregex_iterator(); ++at)
        points.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
    return points;
}

TEST(Plot, EqualStepsAreEqualDistances) {
    Plot plot{.x = linear(0, 4), .y = linear(-1, 1), .series = {{.x = {0, 1, 2, 4}, .y = {-1, 0, 0.5, 1}}}};
    const auto p = first_path(to_svg(plot));
    ASSERT_EQ(p.size(), 4u);
    EXPECT_NEAR(p[1].first - p[0].first, (p[3].first - p[0].first) / 4, 0.01);
    EXPECT_NEAR(p[0].second - p[1].second, (p[0].second - p[3].second) / 2, 0.01);
    EXPECT_LT(p[3].second, p[0].second);  // upwards

    plot.x = logarithmic(1, 16);
    plot.series = {{.x = {1, 2, 4, 16}, .y = {0, 0, 0, 0}}};
    const auto q = first_path(to_svg(plot));
    ASSERT_EQ(q.size(), 4u);
    EXPECT_NEAR(q[1].first - q[0].first, q[2].first - q[1].first, 0.011);
    EXPECT_NEAR(q[3].first - q[2].first, 2 * (q[1].first - q[0].first), 0.011);
}

TEST(Plot, WhatIsNotANumberInterruptsTheLineAndInfinityLeavesThePlot) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const Plot plot{
        .x = linear(0, 4), .y = linear(0, 1), .series = {{.x = {0, 1, 2, 3, 4}, .y = {0, 1, nan, -infinity, 0}}}};
    const std::string svg = to_svg(plot);
    EXPECT_THAT(svg, testing::ContainsRegex("d=\"M[^M]*M[^M]*\""));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf\"")));
    const auto points = first_path(svg);
    ASSERT_EQ(points.size(), 4u);
    EXPECT_GT(points[2].second, points[0].second);  // below the axis, where it is cut off
}

TEST(Plot, WordsAreEscaped) {
    const Plot plot{.title = "a < b & \"c\"", .series = {{.name = "<script>", .x = {0, 1}, .y = {0, 1}}}};
    const std::string svg = to_svg(plot);
    EXPECT_THAT(svg, HasSubstr("<title>a &lt; b &amp; &quot;c&quot;</title>"));
    EXPECT_THAT(svg, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(Plot, TheLegendNamesEverySeriesAndMakesRoomForItself) {
    Plot plot{.series = {{.x = {0, 1}, .y = {0, 1}}}};
    const double without = first_path(to_svg(plot))[1].second;
    for (const char* name : {"one curve", "another one with a long name", "a third one, which needs a row of its own"})
        plot.series.push_back(
            {.name = name, .x = {0, 1}, .y = {1, 0}, .style = Series::Style::dashed, .ink = Ink::orange});
    const std::string svg = to_svg(plot);
    for (size_t i = 1; i < plot.series.size(); ++i) EXPECT_THAT(svg, HasSubstr(">" + plot.series[i].name + "</text>"));
    EXPECT_GT(first_path(svg)[1].second, without + 16);
}

TEST(Plot, ImpossiblePlotsAreRefused) {
    EXPECT_THROW(to_svg({.x = linear(1, 1)}), Error);
    EXPECT_THROW(to_svg({.y = linear(0, std::numeric_limits<double>::infinity())}), Error);
    EXPECT_THROW(to_svg({.x = logarithmic(0, 1)}), Error);
    EXPECT_THROW(to_svg({.series = {{.x = {0, 1}, .y = {0}}}}), Error);
}

// Plots in pixels: everything is where the SVG of the same plot has it.

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

TEST(Plot, SeveralStandBelowEachOtherInOneFile) {
    const Plot plot{
        .x = linear(0, 4), .y = linear(-1, 1), .series = {{.x = {0, 4}, .y = {-1, 1}}}, .width = 300, .height = 200};
    const Plot both[] = {plot, plot};
    const std::string svg = to_svg(both);
    EXPECT_NE(svg.find("width=\"300\" height=\"400\""), std::string::npos);
    EXPECT_NE(svg.find("<svg y=\"200\" "), std::string::npos);
    EXPECT_NE(svg.find("inside-0"), std::string::npos) << "each has a clip path of its own";
    EXPECT_NE(svg.find("inside-1"), std::string::npos);
}

// Ticks of one's own may be closer than their labels are wide: the grid has all of them.
TEST(Plot, TickLabelsKeepClearOfOneAnother) {
    Plot plot{.x = linear(0, 100), .y = linear(-1, 1), .series = {{.x = {0, 100}, .y = {-1, 1}}}};
    for (const int at : {4, 16, 32, 33, 36, 64}) plot.x.ticks.push_back({double(at), std::to_string(at)});
    const std::string svg = to_svg(plot);
    for (const char* shown : {">4<", ">16<", ">32<", ">64<"}) EXPECT_NE(svg.find(shown), std::string::npos) << shown;
    for (const char* left_out : {">33<", ">36<"}) EXPECT_EQ(svg.find(left_out), std::string::npos) << left_out;
    plot.x.ticks = {{4, "4"}, {16, "16"}, {33, "33"}, {64, "64"}};
    EXPECT_NE(to_svg(plot).find(">33<"), std::string::npos) << "where there is room";
}

// The label of the y axis stands upright, centred at x = 16.
TEST(Plot, WideNumbersLeaveRoomForTheAxisLabel) {
    for (const auto& [low, high] : {std::pair(0.0, 4.0), std::pair(24.31, 24.56), std::pair(0.00991, 0.01009)}) {
        Plot plot = slope(Series::Style::line);
        plot.y.minimum = low;
        plot.y.maximum = high;
        const std::string svg = to_svg(plot);
        const std::regex number("<text x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"end\"[^>]*>([^<]+)<");
        int numbers = 0;
        for (std::sregex_iterator at(svg.begin(), svg.end(), number), end; at != end; ++at, ++numbers)
            EXPECT_GE(std::stod((*at)[1]) - 5.5 * double((*at)[2].length()), 20) << (*at)[2];
        EXPECT_GE(numbers, 3) << svg;
    }
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

// Names beside the points of a plot: over no point, over no other name, inside.

constexpr double height = 12, gap = 6, side = 400;

LabelSurface surface() {
    return {.place =
                [](double x, double y) {
                    return Point{x, side - y};
                },
            .width = [](std::string_view words) { return 7.0 * double(words.size()); },
            .low = {0, 0},
            .high = {side, side},
            .height = height,
            .gap = gap};
}

TEST(PlotLabels, CoverNeitherPointsNorOneAnother) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> anywhere(0, side);
    size_t placed = 0;
    for (int times = 0; times < 50; ++times) {
        Series named{.style = Series::Style::dots, .labelled = true}, others{.style = Series::Style::dots};
        for (int k = 0; k < 8; ++k) {
            named.x.push_back(anywhere(random));
            named.y.push_back(anywhere(random));
            named.words.push_back({"method " + std::string(size_t(k), 'x')});
        }
        for (int k = 0; k < 25; ++k) others.x.push_back(anywhere(random)), others.y.push_back(anywhere(random));
        const Plot plot{.series = {others, named}};
        const auto names = placed_names(plot, surface());
        placed += names.size();
        for (const PlacedName& name : names) {
            const double right = name.at.x + 7.0 * double(name.name.size()), bottom = name.at.y + height;
            EXPECT_TRUE(name.at.x >= 0 && name.at.y >= 0 && right <= side && bottom <= side);
            for (const Series& series : plot.series)
                for (size_t k = 0; k < series.x.size(); ++k) {
                    const Point at{series.x[k], side - series.y[k]};
                    EXPECT_FALSE(at.x > name.at.x && at.x < right && at.y > name.at.y && at.y < bottom);
                }
            for (const PlacedName& other : names) {
                const double other_right = other.at.x + 7.0 * double(other.name.size());
                const bool meets = other.at.x < right && other_right > name.at.x && other.at.y < bottom &&
                                   other.at.y + height > name.at.y;
                EXPECT_FALSE(meets && &other != &name);
            }
        }
    }
    EXPECT_GE(placed, 300u);  // of 400
}

TEST(PlotLabels, OnlyPointsInViewOfSeriesThatWantThem) {
    Series named{.x = {-20, 100}, .y = {100, 100}, .style = Series::Style::dots, .words = {{"outside"}, {"inside"}}};
    EXPECT_TRUE(placed_names({.series = {named}}, surface()).empty());
    named.labelled = true;
    const Plot plot{.series = {named}};
    const auto names = placed_names(plot, surface());
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(names[0].name, "inside");
}

// A front of quality against cost: no name on its dashed line, and the best point, the highest, is never without its own.
TEST(PlotLabels, OfAFrontTheBestIsAlwaysNamedAndNoNameIsCrossed) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> step(5, 90);
    for (int times = 0; times < 200; ++times) {
        Series line{.style = Series::Style::dashed}, front{.style = Series::Style::dots, .labelled = true};
        double x = 10, y = 30;
        for (int k = 0; k < 5 && x < side - 10 && y < side - 3 * height; ++k, x += step(random), y += step(random)) {
            front.x.push_back(x);
            front.y.push_back(y);
            front.words.push_back({"method number " + std::to_string(k)});
        }
        line.x = front.x;
        line.y = front.y;
        const Plot plot{.series = {line, front}};
        const auto names = placed_names(plot, surface());
        const auto is_best = [&](const PlacedName& name) { return name.name == front.words.back().name; };
        EXPECT_TRUE(std::any_of(names.begin(), names.end(), is_best));
        for (const PlacedName& name : names)
            for (size_t k = 0; k + 1 < line.x.size(); ++k)
                for (int part = 0; part <= 1000; ++part) {
                    const double at_x = std::lerp(line.x[k], line.x[k + 1], part / 1000.0),
                                 at_y = side - std::lerp(line.y[k], line.y[k + 1], part / 1000.0);
                    EXPECT_FALSE(at_x > name.at.x + 1 && at_x < name.at.x + 7.0 * double(name.name.size()) - 1 &&
                                 at_y > name.at.y + 1 && at_y < name.at.y + height - 1);
                }
    }
}

// Two of nearly the same height, nearer together than their names are wide.
TEST(PlotLabels, StandPlainlyAtTheirOwnPoint) {
    const Series named{.x = {174, 221},
                       .y = {side - 42.3, side - 42},
                       .style = Series::Style::dots,
                       .words = {{"Cubic o-MOMS    "}, {"Quintic B-spline"}},
                       .labelled = true};
    Series line = named;
    line.style = Series::Style::dashed;
    line.labelled = false;
    line.words.clear();
    LabelSurface narrow = surface();
    narrow.high = {266, 246};
    const Plot plot{.series = {line, named}};
    const auto names = placed_names(plot, narrow);
    ASSERT_EQ(names.size(), 2u);
    EXPECT_EQ(names[0].name, "Quintic B-spline");
    EXPECT_DOUBLE_EQ(names[0].at.y, 42 - gap - 2 * height) << "a line higher, so that the other name finds its place";
    EXPECT_DOUBLE_EQ(names[1].at.x, 174 - gap - 7.0 * 16);
}

// Sixteen points crowd around one that is to be named whatever is there; the highest is named as well.
TEST(PlotLabels, WhatIsAlwaysNamedHasALineToItsPoint) {
    Series crowd{.style = Series::Style::dots, .labelled = true}, single{.style = Series::Style::dots};
    for (int k = 0; k < 16; ++k) {
        crowd.x.push_back(200 + 14 * std::cos(k * 3.14159265 / 8));
        crowd.y.push_back(200 + 14 * std::sin(k * 3.14159265 / 8));
        crowd.words.push_back({"point " + std::to_string(k)});
    }
    single.x = {200};
    single.y = {200};
    single.words = {{"the one in the middle", "", true}};
    const Plot plot{.series = {crowd, single}};
    const auto names = placed_names(plot, surface());
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(names[0].name, "the one in the middle") << "though no way leads out between the others";
    Plot open = plot;
    open.series[0].x.resize(12);  // the quarter below and to the right
    open.series[0].y.resize(12);
    open.series[0].words.resize(12);
    const auto led = placed_names(open, surface());
    ASSERT_TRUE(!led.empty() && led[0].to_point);
    EXPECT_EQ(led[0].name, "the one in the middle");
    const auto [from, to] = *led[0].to_point;
    EXPECT_TRUE(to.x == 200 && to.y == side - 200);
    for (size_t k = 0; k < open.series[0].x.size(); ++k) {  // passes by no other point
        const double dx = to.x - from.x, dy = to.y - from.y, px = open.series[0].x[k] - from.x,
                     py = side - open.series[0].y[k] - from.y;
        const double along = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
        EXPECT_GT(std::hypot(px - along * dx, py - along * dy), gap / 2 - 1e-9) << k;
    }
}

}  // namespace
}  // namespace texelscope::test
