// The table of restored methods: its numbers can be compared down a column.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "app/studies/restoring/restored_columns.h"

namespace texelscope::test {
namespace {

// What the column prints for methods with these figures, all of them the same in each row.
std::vector<std::string> printed(const std::string& name, const std::vector<double>& values, ValueUnit unit) {
    RestoringResult result;
    result.plan.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    for (const double value : values) {
        RestoredMethod method{.spec = parse_spec("bilinear")};
        method.inside.metrics.max_abs = method.inside.metrics.rmse = value;
        method.milliseconds = method.fetches = value;
        result.methods.push_back(method);
    }
    const auto columns = restored_columns(result, ValueScale(unit, SampleType::u8));
    const auto column =
        std::find_if(columns.begin(), columns.end(), [&](const RestoredColumn& each) { return each.name == name; });
    std::vector<std::string> texts;
    for (const RestoredMethod& method : result.methods) texts.push_back(column->text(method));
    return texts;
}

using Texts = std::vector<std::string>;

TEST(RestoredColumns, NumbersHaveEquallyManyDecimals) {
    const auto levels = [](double level) { return level / 255; };
    EXPECT_EQ(printed("max", {levels(195.7), levels(196), levels(99.96), levels(20)}, ValueUnit::levels),
              (Texts{"195.7", "196.0", "100.0", "20.0"}));
    EXPECT_EQ(printed("time", {0.91, 3.5, 120.13}, ValueUnit::fraction), (Texts{"0.91", "3.50", "120.13"}));
    EXPECT_EQ(printed("fetches", {1, 4, 36}, ValueUnit::fraction), (Texts{"1", "4", "36"}));
    EXPECT_EQ(printed("fetches", {1, 7.1111, 64}, ValueUnit::fraction), (Texts{"1.0", "7.1", "64.0"}));
    EXPECT_EQ(printed("RMSE", {0.0352, 0.04}, ValueUnit::fraction), (Texts{"0.0352", "0.0400"}));
}

TEST(RestoredColumns, ASmallErrorIsNotNone) {
    EXPECT_EQ(printed("RMSE", {0, 1e-7, 0.0352}, ValueUnit::fraction), (Texts{"0.000000", "< 0.000001", "0.035200"}));
}

}  // namespace
}  // namespace texelscope::test
