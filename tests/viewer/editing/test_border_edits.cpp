// The border value of the window: typed in the unit of all values, for all panes, with undo.

#include <gtest/gtest.h>

#include "app/state/history.h"
#include "app/viewer/editing/method_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

AppState with_border(int channels = 1) {
    AppState state = with_panes(2);
    state.scene.documents[0].image = std::make_shared<const Image>(8, 8, channels, SampleType::u8);
    choose_address(state, {AddressMode::border, AddressMode::wrap});
    return state;
}

TEST(BorderEdits, NumbersAreInTheUnitOfTheScreen) {
    AppState state = with_border(3);
    EXPECT_TRUE(type_border(state, "51", 255));
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.2f}, 1}));
    EXPECT_EQ(border_text(state.scene.spec().address.border, 255), "51");
    EXPECT_EQ(border_text(state.scene.spec().address.border, 1), "0.2");
    EXPECT_TRUE(type_border(state, " 51 102:-153 ", 255));
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.2f, 0.4f, -0.6f}, 3}));
    EXPECT_EQ(border_text(state.scene.spec().address.border, 255), "51 102 -153");
    EXPECT_EQ(state.scene.panes[1].spec.address, state.scene.panes[0].spec.address);
    EXPECT_EQ(state.scene.spec().address.y, AddressMode::wrap);
    EXPECT_TRUE(state.messages.empty());
}

TEST(BorderEdits, WhatIsNoValueIsRefusedInOneSentence) {
    AppState state = with_border(3);
    type_border(state, "51", 255);
    for (const char* wrong : {"", " ", "grey", "1 2", "1 2 3 4", "1 2 3 4 5", "nan", "inf", "1e400", "1e39", "1;x;2"}) {
        state.messages.clear();
        EXPECT_FALSE(type_border(state, wrong, 1)) << wrong;
        ASSERT_EQ(state.messages.size(), 1u) << wrong;
        EXPECT_NE(state.messages[0].text.find("one number for all channels, or 3"), std::string::npos)
            << state.messages[0].text;
        EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.2f}, 1}));
    }
}

TEST(BorderEdits, TheValueStaysWhileOtherModesAreInUse) {
    AppState state = with_border();
    type_border(state, "0.5", 1);
    for (size_t k = 0; k < all_address_modes.size(); ++k) cycle_address(state);
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.5f}, 1}));
}

TEST(BorderEdits, UndoBringsTheValueBack) {
    AppState state = with_border();
    const auto rest = [&] {  // long enough for the edits to be one change
        record_history(state);
        state.now += 1;
        record_history(state);
    };
    rest();
    type_border(state, "0.5", 1);
    rest();
    undo(state);
    EXPECT_EQ(state.scene.spec().address.border, BorderValue{});
    redo(state);
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.5f}, 1}));
}

}  // namespace
}  // namespace texelscope::test
