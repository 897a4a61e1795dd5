// Names beside the points of a plot: over no point, over no other name, inside.

#include "app/drawing/plot_labels.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
