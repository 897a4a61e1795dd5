// Typing reaches the field it was meant for, whole and in order, however early it comes.

#include <string>

#include <gtest/gtest.h>

#include "app/viewer/widgets/typed_ahead.h"

namespace texelscope::gui {
namespace {

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

}  // namespace
}  // namespace texelscope::gui
