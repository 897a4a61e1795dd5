// What is typed into a field of numbers: taken, or refused by one sentence that says what would be right.

#include <gtest/gtest.h>

#include "app/text/typed_number.h"

namespace texelscope::test {
namespace {

constexpr NumberRange factor{.name = "factor", .low = 1, .high = 64},
    angle{.name = "angle", .low = -360, .high = 360, .unit = "°", .zero = false},
    turns{.name = "number of turns", .low = 1, .high = 1000, .whole = true};

TEST(TypedNumber, IsTakenWithinItsRange) {
    EXPECT_EQ(typed_number("2.5", factor).value, 2.5);
    EXPECT_EQ(typed_number(" +64 ", factor).value, 64);
    EXPECT_EQ(typed_number("−7.5", angle).value, -7.5);
    EXPECT_EQ(typed_number("36", turns).value, 36);
    EXPECT_EQ(typed_number("36", turns).problem, "");
}

TEST(TypedNumber, OrRefusedByOneSentence) {
    const auto problem = [](const char* text, const NumberRange& range) {
        const TypedNumber typed = typed_number(text, range);
        EXPECT_FALSE(typed.value) << text;
        return typed.problem;
    };
    EXPECT_EQ(problem("abc", factor), "“abc” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("2 3", factor), "“2 3” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("", factor), "“” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("nan", factor), "“nan” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("0", factor), "The factor can be from 1 to 64.");
    EXPECT_EQ(problem("1000", factor), "The factor can be from 1 to 64.");
    EXPECT_EQ(problem("0", angle), "The angle can be from −360° to 360°, but not 0.");
    EXPECT_EQ(problem("2.5", turns), "“2.5” is no number of turns; type a whole number from 1 to 1000.");
    EXPECT_EQ(problem("0", turns), "The number of turns can be from 1 to 1000.");
}

}  // namespace
}  // namespace texelscope::test
