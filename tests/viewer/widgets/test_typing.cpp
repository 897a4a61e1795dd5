// Text fields: what is typed early, and sentences under the lines of a text.

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "app/viewer/widgets/code_errors.h"
#include "app/viewer/widgets/code_rows.h"
#include "app/viewer/widgets/code_text.h"
#include "app/viewer/widgets/text_rows.h"
#include "app/viewer/widgets/typed_ahead.h"

namespace texelscope::gui {
namespace {

// Typing reaches the field it was meant for, whole and in order, however early it comes.

KeyStroke stroke(Key key, char32_t character, Modifiers modifiers = {}) {
    return {key, character, modifiers, false, false, 0};
}

KeyStroke typed(char32_t character) { return {Key::none, character, {}, true, false, -1}; }

void type(TypedAhead& ahead, std::string_view text, std::optional<Dialog> owner) {
    for (char c : text) {
        ahead.add(stroke(Key::none, char32_t(c)), owner);
        ahead.add(typed(char32_t(c)), owner);
    }
}

void press(TypedAhead& ahead, Key key, std::optional<Dialog> owner) { ahead.add(stroke(key, 0), owner); }

std::string text_of(const TypedAhead::Share& share) { return {share.text.begin(), share.text.end()}; }

Key acting_key(const TypedAhead::Share& share) { return share.keys.empty() ? Key::none : share.keys.back().key; }

TEST(TypedAhead, WaitsForTheFieldOfADialogThatHasJustOpened) {
    TypedAhead ahead;
    type(ahead, "wh", Dialog::palette);
    EXPECT_EQ(text_of(ahead.take(Dialog::palette, false)), "");
    type(ahead, "ich", Dialog::palette);
    press(ahead, Key::enter, Dialog::palette);
    EXPECT_TRUE(ahead.take(Dialog::palette, false).keys.empty());
    EXPECT_TRUE(ahead.waiting());
    const auto share = ahead.take(Dialog::palette, true);
    EXPECT_EQ(text_of(share), "which");
    EXPECT_EQ(acting_key(share), Key::enter);
    EXPECT_FALSE(ahead.waiting());
}

TEST(TypedAhead, KeysReachADialogWithoutAFieldSoonAndThenAtOnce) {
    TypedAhead ahead;
    press(ahead, Key::down, Dialog::about);
    int frames = 1;
    while (ahead.take(Dialog::about, false).keys.empty()) ASSERT_LT(++frames, 10);
    press(ahead, Key::down, Dialog::about);
    EXPECT_EQ(acting_key(ahead.take(Dialog::about, false)), Key::down);
}

TEST(TypedAhead, GoesToNoOtherDialogNorToThePanels) {
    TypedAhead ahead;
    type(ahead, "photo", Dialog::browser);
    ahead.take(Dialog::browser, false);
    EXPECT_TRUE(ahead.take({}, true).text.empty());
    EXPECT_FALSE(ahead.waiting());
    type(ahead, "photo", Dialog::browser);
    EXPECT_TRUE(ahead.take(Dialog::question, true).text.empty());
    EXPECT_FALSE(ahead.waiting());
}

TEST(TypedAhead, AFieldOfAPanelTakesItAtOnce) {
    TypedAhead ahead;
    type(ahead, "250", {});
    EXPECT_EQ(text_of(ahead.take({}, true)), "250");
}

TEST(TypedAhead, KeepsTheOrderOfTextAndKeysThatActOnIt) {
    TypedAhead ahead;
    type(ahead, "ab", {});
    press(ahead, Key::backspace, {});
    type(ahead, "c", {});
    ahead.add(stroke(Key::none, 'a', {.ctrl = true}), {});
    type(ahead, "d", {});
    auto share = ahead.take({}, true);
    EXPECT_EQ(text_of(share), "ab");
    EXPECT_EQ(acting_key(share), Key::backspace);
    share = ahead.take({}, true);  // Ctrl would keep the field from taking text
    EXPECT_EQ(text_of(share), "c");
    share = ahead.take({}, true);
    EXPECT_EQ(text_of(share), "");
    EXPECT_TRUE(share.keys.back().modifiers.ctrl);
    EXPECT_EQ(text_of(ahead.take({}, true)), "d");
    EXPECT_FALSE(ahead.waiting());
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What is wrong in a text stands under its line: rows of the screen against lines of the text, places in it, and sentences
// that are broken into rows.

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

int line_after(int line, std::string_view before, std::string_view after) {
    return moved_along({{line, 3, "wrong"}}, before, after).front().line;
}

TEST(CodeErrors, StayWithTheirLines) {
    EXPECT_EQ(line_after(2, "a\nb\nc", "a\nb\nc"), 2);
    EXPECT_EQ(line_after(2, "a\nb\nc", "a\nb2\nc"), 2);      // typed into
    EXPECT_EQ(line_after(2, "a\nb\nc", "new\na\nb\nc"), 3);  // a line before
    EXPECT_EQ(line_after(2, "a\nb\nc", "b\nc"), 1);
    EXPECT_EQ(line_after(2, "a\nb\nc", "a\nb\nnew\nc"), 2);  // a line behind
    EXPECT_EQ(line_after(3, "a\nb\nc", "a\nc"), 2);
    EXPECT_EQ(line_after(0, "a\nb", "a\nx\nb"), 0);  // of the whole
    EXPECT_EQ(moved_along({{2, 3, "wrong"}}, "a\nb", "x\na\nb").front(), (CodeError{3, 3, "wrong"}));
}

TEST(CodeErrors, OfLinesThatAreNoMoreGoToWhatTookTheirPlace) {
    EXPECT_EQ(line_after(2, "a\nb\nc\nd", "a\nnew\nd"), 2);
    EXPECT_EQ(line_after(3, "a\nb\nc\nd", "a\nnew\nd"), 2);
    EXPECT_EQ(line_after(2, "a\nb", ""), 1);
    EXPECT_EQ(line_after(1, "", "x"), 1);
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
