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
    post(state, Message::Level::info, "/d/scan: saved", "/d/scan");
    forget_errors_about(state, "/d/scan");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].source, "/d/scan.png") << "a file whose name only begins alike";
    EXPECT_EQ(state.messages[1].text, "/d/scan: saved");
    post(state, Message::Level::error, "/d/scan: a text without a file");
    forget_errors_about(state, "/d/scan");
    EXPECT_EQ(state.messages.size(), 3u) << "about no file, whatever it says";
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

// Frames every `step` seconds until the message is gone, or for ten minutes; the mouse is on it in `held` of them.
double seconds_shown(AppState& state, double held_from = 0, double held_to = 0) {
    const double start = state.now, step = 0.25;
    for (; state.now < start + 600; state.now += step) {
        drop_read(state);
        if (state.messages.empty()) break;
        const double at = state.now - start;
        pass_time(state.messages[0], state.now, at >= held_from && at < held_to);
    }
    return state.now - start;
}

TEST(MessageList, AnErrorGoesAfterTheTimeThatItTakesToReadButNotAtOnce) {
    AppState state;
    post(state, Message::Level::error, "no");
    EXPECT_NEAR(seconds_shown(state), 10, 0.5);
    post(state, Message::Level::error, std::string(240, 'x'));
    EXPECT_NEAR(seconds_shown(state), 24, 0.5) << "twelve letters a second, after four seconds";
    post(state, Message::Level::info, "saved");
    EXPECT_NEAR(seconds_shown(state), 6, 0.5);
    post(state, Message::Level::hint, "wheel zooms");
    EXPECT_GE(seconds_shown(state), 600) << "a hint waits for its use";
}

TEST(MessageList, TheTimeStandsStillWhileTheMouseIsOnTheMessage) {
    AppState state;
    post(state, Message::Level::error, "no");
    EXPECT_NEAR(seconds_shown(state, 5, 65), 70, 0.5);
    post(state, Message::Level::error, "no");
    pass_time(state.messages[0], state.now, true);
    EXPECT_FALSE(seconds_left(state.messages[0])) << "no frame is due";
    pass_time(state.messages[0], state.now + 100, false);
    EXPECT_NEAR(seconds_left(state.messages[0]).value_or(-1), 10, 0.01);
}

TEST(MessageList, AnOfferStaysUntilThePictureWasUsedAsOftenAsTheHintWaitsFor) {
    AppState state;
    post_offer(state, "Measure against it?", "Use it", [](AppState&) {});
    EXPECT_GE(seconds_shown(state), 600);
    ASSERT_EQ(state.messages.size(), 1u);
    state.messages[0].uses = uses_of_hint;
    EXPECT_NEAR(seconds_shown(state), 0, 0.5) << "it was there for long enough";
    post_offer(state, "Measure against the other?", "Use it", [](AppState&) {});
    state.messages[0].uses = uses_of_hint;
    EXPECT_NEAR(seconds_shown(state), 15, 0.5) << "however fast it was used";
}

TEST(MessageList, HoldsThreeAndAnOfferIsNotPushedOut) {
    AppState state;
    post_offer(state, "Measure against it?", "Use it", [](AppState&) {});
    for (int i = 0; i < 5; ++i) post(state, Message::Level::error, std::to_string(i));
    ASSERT_EQ(state.messages.size(), 3u);
    EXPECT_EQ(state.messages[0].offer, "Use it");
    EXPECT_EQ(state.messages[1].text, "3");
    EXPECT_EQ(state.messages[2].text, "4");
}

TEST(MessageList, FilesThatAWalkPassesOverShareARow) {
    AppState state;
    for (const char* file : {"a.png", "b.png", "b.png", "c.png"})
        post_one_of(state, Message::Level::error, "skipped", std::string(file) + ": damaged; skipped", file);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(words_of(state.messages[0]), "c.png: damaged; skipped  (and 2 before it)");
    EXPECT_EQ(state.messages[0].source, "c.png");
}

TEST(MessageList, TheNewestOneThatIsShownIsDismissed) {
    AppState state;
    state.ui.panels = false;  // no hints
    post(state, Message::Level::error, "first");
    post(state, Message::Level::error, "second");
    post(state, Message::Level::hint, "wheel zooms");
    EXPECT_TRUE(dismiss_newest(state));
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].text, "first");
    EXPECT_TRUE(dismiss_newest(state));
    EXPECT_FALSE(dismiss_newest(state));
    EXPECT_FALSE(state.ui.hint_dismissed) << "it was not there to be read";
    state.ui.panels = true;
    EXPECT_TRUE(dismiss_newest(state));
    EXPECT_TRUE(state.ui.hint_dismissed);
}

}  // namespace
}  // namespace texelscope::test
