// Messages: what is counted, what is removed, what stays.

#include <gtest/gtest.h>

#include "app/state/app_state.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

TEST(MessageList, ErrorsAboutAFileGoWithItWhateverTheirText) {
    AppState state;
    post(state, Message::Level::error, "/d/scan.png: the file is damaged", "/d/scan.png");
    post(state, Message::Level::error, "not enough memory; the old picture stays", "/d/scan");
    post(state, Message::Level::error, "/d/scan: a text without a file");
    post(state, Message::Level::info, "/d/scan: saved", "/d/scan");
    forget_errors_about(state, "/d/scan");
    ASSERT_EQ(state.messages.size(), 3u);
    EXPECT_EQ(state.messages[0].source, "/d/scan.png") << "a file whose name only begins alike";
    EXPECT_TRUE(state.messages[1].source.empty()) << "about no file, whatever it says";
    EXPECT_EQ(state.messages[2].text, "/d/scan: saved");
}

TEST(MessageList, AnErrorIsAboutTheFileThatItNamesElseAboutTheGivenOne) {
    AppState state;
    post_error(state, FileError("/d/photo.png", "the file is empty"), "/d/session.json");
    post_error(state, Error("the window is too small"), "/d/session.json");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].source, "/d/photo.png");
    EXPECT_EQ(state.messages[0].text, "/d/photo.png: the file is empty");
    EXPECT_EQ(state.messages[1].source, "/d/session.json");
    EXPECT_EQ(state.messages[1].level, Message::Level::error);
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
}  // namespace texelscope::test
