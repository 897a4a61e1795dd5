// Names beside the points of a plot: over no point, over no other name, inside.

#include "app/drawing/plot_labels.h"

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

}  // namespace
}  // namespace texelscope::test
