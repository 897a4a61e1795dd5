// The hint of the first start goes once it has served.

#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

TEST_F(PaneInput, TheFirstHintGoesOnceItHasServed) {
    post(state_, Message::Level::hint, "wheel zooms");
    post(state_, Message::Level::error, "stays");
    const KeyStroke two{Key::none, U'2', {}, true, false};
    const WheelTurned notch{1, 400, 200, {}};
    for (int i = 0; i < 9; ++i) send(notch);  // one turn of the wheel
    EXPECT_EQ(state_.messages.size(), 2u);
    state_.now += 1;
    state_.ui.dialogs.toggle(Dialog::keys);
    for (int i = 0; i < 9; ++i, state_.now += 1) send(two);  // what a dialog gets does not count
    state_.ui.dialogs.toggle(Dialog::keys);
    EXPECT_EQ(state_.messages.size(), 2u);
    send(two);
    state_.now += 1;
    EXPECT_FALSE(state_.ui.hint_dismissed);
    send(two);
    ASSERT_EQ(state_.messages.size(), 1u);
    EXPECT_EQ(state_.messages[0].text, "stays");
    EXPECT_TRUE(state_.ui.hint_dismissed);
}

}  // namespace
}  // namespace texelscope::test
