// The legend of a plot: even columns.

#include <gtest/gtest.h>

#include "app/viewer/widgets/plot_view.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
