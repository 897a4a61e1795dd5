// What is wrong in a text stands under its line: rows of the screen against lines of the text, places in it, and sentences
// that are broken into rows.

#include <algorithm>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/viewer/widgets/code_rows.h"
#include "app/viewer/widgets/code_text.h"
#include "app/viewer/widgets/text_rows.h"

namespace texelscope::gui {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CodeRows, WithoutErrorsALineIsItsRow) {
    const CodeRows rows({0, 0, 0});
    EXPECT_EQ(rows.count(), 3);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(rows.row_of(i), i);
        EXPECT_EQ(rows.line_at(i), i);
    }
}

TEST(CodeRows, ErrorsMoveTheLinesBelowThemOnly) {
    const CodeRows rows({0, 2, 0, 1});
    EXPECT_EQ(rows.count(), 7);
    EXPECT_EQ(rows.row_of(0), 0);
    EXPECT_EQ(rows.row_of(1), 1);
    EXPECT_EQ(rows.row_of(2), 4);
    EXPECT_EQ(rows.row_of(3), 5);
}

// Against the screen written out row by row.
TEST(CodeRows, EachRowBelongsToTheLineAtOrAboveIt) {
    std::mt19937 random(18);
    std::uniform_int_distribution<int> lines(1, 12), errors(0, 3);
    for (int round = 0; round < 200; ++round) {
        std::vector<int> following(static_cast<size_t>(lines(random))), screen;
        for (size_t i = 0; i < following.size(); ++i) {
            following[i] = errors(random);
            screen.insert(screen.end(), size_t(1 + following[i]), int(i));
        }
        const CodeRows rows(following);
        ASSERT_EQ(rows.count(), int(screen.size()));
        for (int row = 0; row < rows.count(); ++row) ASSERT_EQ(rows.line_at(row), screen[size_t(row)]);
        for (int i = 0; i < int(following.size()); ++i)
            ASSERT_EQ(rows.row_of(i), int(std::find(screen.begin(), screen.end(), i) - screen.begin()));
    }
}

TEST(CodeRows, BeyondTheEndsAreTheFirstAndTheLastLine) {
    const CodeRows rows({1, 0, 2});
    EXPECT_EQ(rows.line_at(-1), 0);
    EXPECT_EQ(rows.line_at(-1000), 0);
    EXPECT_EQ(rows.line_at(rows.count()), 2);
    EXPECT_EQ(rows.line_at(rows.count() + 1000), 2);
}

TEST(CodeRows, AnEmptyTextHasOneLine) {
    const CodeRows rows({});
    EXPECT_EQ(rows.lines(), 1);
    EXPECT_EQ(rows.count(), 1);
    EXPECT_EQ(rows.line_at(0), 0);
}

TEST(CodeText, ATextHasOneLineMoreThanBreaks) {
    EXPECT_EQ(CodeText("").lines(), 1);
    EXPECT_EQ(CodeText("a").lines(), 1);
    const CodeText text("one\n\nthree\n");
    ASSERT_EQ(text.lines(), 4);
    EXPECT_EQ(text.line(0), "one");
    EXPECT_EQ(text.line(1), "");
    EXPECT_EQ(text.line(2), "three");
    EXPECT_EQ(text.line(3), "");
}

TEST(CodeText, PlacesAreCountedInCharacters) {
    const std::string all = "π = 3\n→é\nx";
    const CodeText text(all);
    EXPECT_EQ(text.place_of(0), (CodePlace{0, 0}));
    EXPECT_EQ(text.place_of(1), (CodePlace{0, 2}));  // π has two bytes
    EXPECT_EQ(text.place_of(5), (CodePlace{0, 6}));  // before the break
    EXPECT_EQ(text.place_of(6), (CodePlace{1, 0}));
    EXPECT_EQ(text.place_of(7), (CodePlace{1, 3}));  // → has three
    EXPECT_EQ(text.place_of(8), (CodePlace{1, 5}));
    EXPECT_EQ(text.place_of(10), (CodePlace{2, 1}));
    EXPECT_EQ(text.place_of(99), (CodePlace{2, 1}));
    for (int i = 0; i <= 10; ++i) EXPECT_EQ(text.character_of(text.place_of(i)), i);
}

float characters(const std::string& text) {
    return float(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

TEST(TextRows, BreaksAtSpaces) {
    EXPECT_THAT(in_rows("one two three", 8, 5, characters), ElementsAre("one two", "three"));
    EXPECT_THAT(in_rows("one two three", 7, 5, characters), ElementsAre("one two", "three"));
    EXPECT_THAT(in_rows("one\ntwo", 80, 5, characters), ElementsAre("one two"));
    EXPECT_THAT(in_rows("one", 3, 1, characters), ElementsAre("one"));
    EXPECT_THAT(in_rows("", 3, 1, characters), IsEmpty());
}

TEST(TextRows, BreaksWordsThatAreLongerThanARow) {
    EXPECT_THAT(in_rows("abcdefgh", 3, 5, characters), ElementsAre("abc", "def", "gh"));
    EXPECT_THAT(in_rows("ππππ", 3, 5, characters), ElementsAre("πππ", "π"));
    EXPECT_THAT(in_rows("ab", 0, 5, characters), ElementsAre("a", "b"));  // no space at all
}

TEST(TextRows, TheLastRowSaysThatThereIsMore) {
    EXPECT_THAT(in_rows("one two three four", 7, 2, characters), ElementsAre("one two", "three…"));
    EXPECT_THAT(in_rows("one two three four", 7, 1, characters), ElementsAre("one tw…"));
    EXPECT_THAT(in_rows("one two three", 7, 2, characters), ElementsAre("one two", "three"));
}

}  // namespace
}  // namespace texelscope::gui
