// The plot writer: ticks at round numbers, curves where they belong, the same bytes for the same plot.

#include "app/drawing/plot.h"

#include <cmath>
#include <limits>
#include <regex>

#include <gmock/gmock.h>

#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

}  // namespace
}  // namespace texelscope::test
