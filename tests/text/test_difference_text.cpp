// Differences as words.

#include "app/text/difference_text.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

TEST(DifferenceText, IsInTheUnitOfValuesAndNamesItsFormula) {
    const std::array<double, 3> a{0.5, 0.25, 0.1}, r{0.25, 0.5, 0.1};
    const ValueScale levels(ValueUnit::levels, SampleType::u8), fraction(ValueUnit::fraction, SampleType::u8);
    EXPECT_EQ(row_of(DifferenceKind::absolute).formula, "|a − r|");
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, levels), "[63.8 63.8 0]");
    EXPECT_EQ(difference_text(DifferenceKind::signed_, a, r, levels), "[63.8 -63.8 0]");
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, fraction), "[0.25 0.25 0]");
    EXPECT_EQ(difference_text(DifferenceKind::squared, a, r, fraction), "[0.0625 0.0625 0]");
    EXPECT_EQ(difference_text(DifferenceKind::relative, a, r, levels), "[1 0.5 0]") << "of no unit";
}

TEST(DifferenceText, RoundingOfFloat64IsNothing) {
    const std::array<double, 2> a{0.3, 0.5}, r{0.1 + 0.2, 0.5 + 1e-9};
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, {}), "[0 1e-09]");
}

TEST(DifferenceText, OfWhatIsNotMeasuredIsADash) {
    const std::array<double, 1> a{0.5}, r{NAN};
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, {}), "[–]");
}

}  // namespace
}  // namespace texelscope::test
