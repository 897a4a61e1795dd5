// Chips, legends and numbers over the picture, the points of plots, and texts in rows.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::test {
namespace {

using gui::ChipPlan;
using gui::ChipRequest;

// What label chips show: as much as leaves the pane its picture.

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

// Sixteen panes: each label fits by itself, and only some names are short enough.
TEST(ChipPlan, NoShortNameStandsBesideALongOne) {
    ChipRequest longer = pane(160, 150), shorter = longer;
    longer.labels = {"Mitchell–Netravali filter · antialiased", "Mitchell–Netravali filter", "mitchell"};
    shorter.labels = {"Cubic B-spline · antialiased", "Cubic B-spline", "bspline"};
    const int level = std::max(gui::chip_level(longer), gui::chip_level(shorter));
    ASSERT_EQ(gui::plan_chip(longer, level).label, "mitchell");
    ASSERT_EQ(gui::plan_chip(shorter, level).label, "Cubic B-spline");
    ChipRequest* both[] = {&longer, &shorter};
    gui::share_shortest_label(both, level);
    EXPECT_EQ(gui::plan_chip(longer, level).label, "mitchell");
    EXPECT_EQ(gui::plan_chip(shorter, level).label, "bspline");
    ChipRequest wide = pane(640, 600);
    const auto before = wide.labels;
    ChipRequest* one[] = {&wide};
    gui::share_shortest_label(one, gui::chip_level(wide));
    EXPECT_EQ(wide.labels, before) << "where names fit, they stay";
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

using gui::LegendPlan;
using gui::LegendRequest;

// The legend of the picture area: there at every size, and never wider than the picture.

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

TEST(LegendPlan, SaysWhatHatchingMeansInAsManyWordsAsFit) {
    LegendRequest r = request(900, 1);
    r.mask = {"hatched: above Nyquist, not measured", "hatched: not measured", "hatched: left out"};
    for (const auto& [width, words] : {std::pair{900.0f, r.mask[0]}, {200.0f, r.mask[1]}, {170.0f, r.mask[2]}}) {
        r.width = width;
        EXPECT_NE(all_of(gui::plan_legend(r)).find(words + "|"), std::string::npos) << all_of(gui::plan_legend(r));
    }
}

TEST(LegendPlan, TakesAtMostAQuarterOfALowPicture) {
    LegendRequest r = request(300, 2);
    r.mask = {"hatched: outside"};
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

// The legend of a plot: even columns.

TEST(Legend, HasEvenColumnsThatHoldAllEntries) {
    for (int entries = 1; entries <= 17; ++entries)
        for (float width = 100; width < 900; width += 31) {
            const gui::LegendGrid grid = gui::legend_grid(entries, 117, width);
            EXPECT_GE(grid.columns * grid.rows, entries);
            EXPECT_LT(grid.columns * (grid.rows - 1), entries) << "no empty row";
            EXPECT_TRUE(grid.columns == 1 || grid.pitch >= 117);
            EXPECT_LE(grid.pitch * float(grid.columns), width + 0.01f);
        }
    EXPECT_EQ(gui::legend_grid(17, 117, 408).rows, 6);
    EXPECT_EQ(gui::legend_grid(4, 117, 408).columns, 2) << "two rows of two rather than of three and one";
}

TEST(Legend, PositionsHaveTheDigitsThatAPixelTellsApart) {
    EXPECT_EQ(gui::place_words(3.93926, 0.02), "3.94");
    EXPECT_EQ(gui::place_words(128.0, 0.3), "128.0");
    EXPECT_EQ(gui::place_words(-1024.7, 20), "−1025");
    EXPECT_EQ(gui::place_words(-0.001, 0.1), "0.0") << "no minus before nothing";
    EXPECT_EQ(gui::place_words(0.12345678, 1e-9), gui::value_words(0.12345678));
    EXPECT_EQ(gui::place_words(2.5e7, 1000), gui::value_words(2.5e7));
}

// Points of a plot that the mouse finds.

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

// Numbers on samples can be read on every tone.

namespace {

// WCAG 2: relative luminance and contrast.
double luminance(double r, double g, double b) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

TEST(ValueInk, HasTheContrastThatTextNeedsOnEveryTone) {
    for (const int colours : {1, 3})
        for (int channel = 0; channel < colours; ++channel)
            for (int tone = 0; tone <= 255; ++tone) {
                const float v = float(tone) / 255;
                const gui::ValueInk ink = gui::value_ink(channel, colours, v);
                const double below =
                    double(v) * (1 - double(ink.plate_opacity)) + double(ink.plate.r) * double(ink.plate_opacity);
                const double text = luminance(double(ink.text.r), double(ink.text.g), double(ink.text.b)),
                             ground = luminance(below, below, below);
                EXPECT_GE((std::max(text, ground) + 0.05) / (std::min(text, ground) + 0.05), 4.5)
                    << "channel " << channel << " of " << colours << " on " << tone;
                EXPECT_GE(ink.plate_opacity, 0) << tone;
                EXPECT_LE(ink.plate_opacity, 0.5f) << "the sample is still to be seen: " << tone;
            }
    EXPECT_EQ(gui::value_ink(0, 3, 0).plate_opacity, 0) << "where it is dark, no plate";
    EXPECT_EQ(gui::value_ink(0, 3, 1).plate_opacity, 0);
}

// Texts in rows.

// Width of a text: a unit for each character.
float characters(const std::string& text) {
    return float(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

TEST(TextRows, BreaksAtSpaces) {
    EXPECT_THAT(gui::in_rows("one two three", 8, 5, characters), testing::ElementsAre("one two", "three"));
    EXPECT_THAT(gui::in_rows("one two three", 7, 5, characters), testing::ElementsAre("one two", "three"));
    EXPECT_THAT(gui::in_rows("one\ntwo", 80, 5, characters), testing::ElementsAre("one two"));
    EXPECT_THAT(gui::in_rows("one", 3, 1, characters), testing::ElementsAre("one"));
    EXPECT_THAT(gui::in_rows("", 3, 1, characters), testing::IsEmpty());
}

TEST(TextRows, BreaksWordsThatAreLongerThanARow) {
    EXPECT_THAT(gui::in_rows("abcdefgh", 3, 5, characters), testing::ElementsAre("abc", "def", "gh"));
    EXPECT_THAT(gui::in_rows("ππππ", 3, 5, characters), testing::ElementsAre("πππ", "π"));
    EXPECT_THAT(gui::in_rows("ab", 0, 5, characters), testing::ElementsAre("a", "b"));  // no space at all
}

// At each width: a number stays whole, though "0." would still have space.
TEST(TextRows, NumbersStayWhole) {
    const std::string text = "errors up to 0.3 of 255 levels, from −0.75 to 1,024.5; 2.54 cm";
    for (int room = 8; room <= 70; ++room) {
        const std::string rows = gui::broken(text, float(room), characters);
        std::istringstream words(rows);
        std::vector<std::string> found{std::istream_iterator<std::string>(words), {}};
        std::istringstream whole(text);
        const std::vector<std::string> wanted{std::istream_iterator<std::string>(whole), {}};
        EXPECT_EQ(found, wanted) << room;
        std::istringstream lines(rows);
        for (std::string row; std::getline(lines, row);) EXPECT_LE(characters(row), float(room)) << row;
    }
    EXPECT_EQ(gui::broken("up to 0.3 of", 8, characters), "up to\n0.3 of");
}

TEST(TextRows, LineBreaksOfATextStay) {
    EXPECT_EQ(gui::broken("one\n\ntwo three", 5, characters), "one\n\ntwo\nthree");
    EXPECT_EQ(gui::broken("", 5, characters), "");
    EXPECT_EQ(gui::broken("a\n", 5, characters), "a\n");
}

TEST(TextRows, TheLastRowSaysThatThereIsMore) {
    EXPECT_THAT(gui::in_rows("one two three four", 7, 2, characters), testing::ElementsAre("one two", "three…"));
    EXPECT_THAT(gui::in_rows("one two three four", 7, 1, characters), testing::ElementsAre("one tw…"));
    EXPECT_THAT(gui::in_rows("one two three", 7, 2, characters), testing::ElementsAre("one two", "three"));
}

}  // namespace
}  // namespace texelscope::test
