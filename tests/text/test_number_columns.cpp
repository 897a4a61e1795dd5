// Numbers in columns beside each other.

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "app/text/number_columns.h"

namespace texelscope::test {
namespace {

TEST(NumberColumns, AreAsWideAsTheirWidestNumber) {
    NumberColumn column{.decimals = 4};
    for (const double value : {0.5, 177.645, -119.5224}) column.take(value);
    EXPECT_EQ(column.characters(), 9) << "−119.5224, with a minus sign of three bytes";
    EXPECT_EQ(signed_number(-119.5224, 1), "−119.5");
    column.least = 11;
    EXPECT_EQ(column.characters(), 11) << "its heading";
    NumberColumn nothing;
    nothing.take(-std::numeric_limits<double>::infinity());
    EXPECT_EQ(nothing.characters(), 4) << "-inf";
}

TEST(NumberColumns, LoseDecimalsWhereThereIsNoRoom) {
    const auto fitted = [](int characters) {
        std::array<NumberColumn, 3> columns{NumberColumn{.least = 2},
                                            {.decimals = 6, .fewest = 3, .low = 0, .high = 0.35669},
                                            {.decimals = 4, .fewest = 1, .low = -119.5224, .high = 0}};
        fit_decimals(columns, characters);
        EXPECT_TRUE(characters_of(columns) <= characters || characters < 13);
        return std::array{columns[1].decimals, columns[2].decimals};
    };
    EXPECT_EQ(fitted(19), (std::array{6, 4})) << "2 + 8 + 9 characters";
    EXPECT_EQ(fitted(18), (std::array{6, 3}));
    EXPECT_EQ(fitted(16), (std::array{5, 2}));
    EXPECT_EQ(fitted(14), (std::array{4, 1}));
    EXPECT_EQ(fitted(0), (std::array{3, 1})) << "never fewer";
}

}  // namespace
}  // namespace texelscope::test
