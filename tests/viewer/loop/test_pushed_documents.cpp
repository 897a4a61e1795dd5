// Pushed images among the documents: replaced in place, known to undo and sessions by name only.

#include <gtest/gtest.h>

#include "app/state/history.h"
#include "app/state/pushed_source.h"
#include "app/state/session/session.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/first_scene.h"

namespace texelscope::test {
namespace {

const AcceptImage accept_pushed = [](const std::shared_ptr<const Image>&) {};

std::shared_ptr<const Image> grey(int width, uint8_t level) {
    Image image(width, 8, 1, SampleType::u8);
    for (int y = 0; y < 8; ++y) std::fill_n(image.row_as<uint8_t>(y), width, level);
    return std::make_shared<const Image>(std::move(image));
}

class PushedDocuments : public testing::Test {
protected:
    void SetUp() override {
        state.scene.panes = {{default_spec(*find_method("bspline"))}};
        state.report.frame.picture = {0, 0, 200, 100};
        open_document(state, "@step:8", accept_pushed);
    }
    void push(const std::string& name, int width, uint8_t level) {
        show_pushed(state, name, grey(width, level), accept_pushed);
    }
    float level() const { return state.scene.document()->image->value(0, 0, 0) * 255; }
    AppState state;
};

TEST_F(PushedDocuments, TheFirstIsShownTheNextReplaceItsSamples) {
    push("wave", 16, 10);
    ASSERT_EQ(state.scene.documents.size(), 2u);
    EXPECT_EQ(state.scene.document()->title(), "wave");
    EXPECT_FALSE(state.scene.document()->is_file());
    EXPECT_FALSE(first_region(*state.scene.document()));  // the whole of it
    state.scene.document()->view = {1, 2, 0.25, 30};
    state.scene.document()->keep_fit = false;
    const Document before = *state.scene.document();
    push("wave", 16, 20);
    EXPECT_EQ(level(), 20);
    EXPECT_EQ(state.scene.document()->view, before.view);
    EXPECT_EQ(state.scene.documents.size(), 2u);
    show_document(state, 0, accept_pushed);
    push("wave", 16, 30);
    EXPECT_EQ(state.scene.current, 0) << "what is looked at stays";
    show_document(state, 1, accept_pushed);
    EXPECT_EQ(level(), 30);
}

TEST_F(PushedDocuments, AnImageThatIsNotAcceptedLeavesTheOldOne) {
    push("wave", 16, 10);
    EXPECT_THROW(show_pushed(state, "wave", grey(32, 20),
                             [](const std::shared_ptr<const Image>&) { throw OutOfMemory("full"); }),
                 OutOfMemory);
    EXPECT_EQ(level(), 10);
    EXPECT_EQ(state.pushed.at(pushed_source("wave"))->width(), 16);
}

TEST_F(PushedDocuments, ReplacedSamplesAreNoStepOfUndo) {
    push("wave", 16, 10);
    record_history(state);
    for (int i = 0; i < 5; ++i) {
        push("wave", 16, uint8_t(20 + i));
        state.now += 1;
        record_history(state);
    }
    EXPECT_FALSE(can_undo(state));
    state.scene.outside = Outside::extend;
    settle_history(state);
    push("wave", 16, 99);
    undo(state);
    EXPECT_NE(state.scene.outside, Outside::extend);
    EXPECT_EQ(level(), 99);
}

TEST_F(PushedDocuments, UndoOfClosingHasTheSamples) {
    push("wave", 16, 10);
    record_history(state);
    close_document(state, accept_pushed);
    settle_history(state);
    undo(state);
    ASSERT_EQ(state.scene.document()->title(), "wave");
    load_document(state, pushed_source("wave"), accept_pushed);
    EXPECT_EQ(level(), 10);
}

TEST_F(PushedDocuments, ASessionWantsThemPushedFirst) {
    push("wave", 16, 10);
    state.scene.document()->view = {1, 2, 0.25, 30};
    state.scene.document()->keep_fit = false;
    const std::string text = session_to_json(session_of(state), "/folder");
    EXPECT_EQ(pushed_names(state.scene), std::vector<std::string>{"wave"});

    AppState other;
    restore(other, session_from_json(text, "/folder"));
    try {
        show_session(other, accept_pushed);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("push it again"), std::string::npos) << error.what();
    }
    AppState ready;
    ready.scene.panes = state.scene.panes;
    show_pushed(ready, "wave", grey(16, 40), accept_pushed);
    restore(ready, session_from_json(text, "/folder"));
    show_session(ready, accept_pushed);
    EXPECT_EQ(ready.scene.document()->image->value(0, 0, 0) * 255, 40);
    EXPECT_EQ(ready.scene.document()->view, (View{1, 2, 0.25, 30}));
}

}  // namespace
}  // namespace texelscope::test
