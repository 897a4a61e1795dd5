// Messages: what is counted, what is removed, what stays.

#include <gtest/gtest.h>

#include "app/state/app_state.h"

namespace texelscope {
namespace {

TEST(MessageList, ErrorsAboutAFileGoWithIt) {
    AppState state;
    post(state, Message::Level::error, "/d/scan.png: the file is damaged");
    post(state, Message::Level::error, "/d/scan: no such file");
    post(state, Message::Level::error, "/d/scan:12: there is no image");
    post(state, Message::Level::info, "/d/scan: saved");
    forget_errors_about(state, "/d/scan");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].text, "/d/scan.png: the file is damaged") << "a file whose name only begins alike";
    EXPECT_EQ(state.messages[1].text, "/d/scan: saved");
}

TEST(MessageList, AMessageIsWithdrawnByItsText) {
    AppState state;
    post(state, Message::Level::info, "compiling");
    post(state, Message::Level::info, "saved");
    withdraw(state, "compiling");
    withdraw(state, "compiling");
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text, "saved");
}

TEST(MessageList, TheSameTextAgainIsCounted) {
    AppState state;
    for (int i = 0; i < 3; ++i) post(state, Message::Level::error, "the same");
    post(state, Message::Level::warning, "the same");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].count, 3);
}

}  // namespace
}  // namespace texelscope
