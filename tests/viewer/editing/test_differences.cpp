// The key D: the same for two photographs as for two methods, side by side, under a wipe or flipped.

#include <gmock/gmock.h>

#include "app/picture/pane_picture.h"
#include "app/picture/pane_words.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/presets.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

class Differences : public testing::Test {
protected:
    void SetUp() override {
        for (const char* source : {"/a.png", "/b.png"}) {
            Document& document = state_.scene.documents.emplace_back();
            document.source = source;
            document.image = std::make_shared<const Image>(64, 48, 1, SampleType::u8);
            document.view.scale = 0.3;
        }
        state_.scene.current = 0;
        state_.scene.panes = {{parse_spec("nearest")}, {parse_spec("bspline")}};
        state_.scene.panes[0].against = 1;
        state_.scene.panes[1].against = 0;
        state_.scene.reference = {Reference::Kind::method, parse_spec("quintic"), {}};
        state_.report.frame.picture = {0, 0, 300, 200};
    }
    void press_d() { find_action("compare.difference")->run(state_); }
    void apply(std::string_view preset) { find_action(fmt::format("preset.{}", preset))->run(state_); }

    // What the panes show: "A", "B − A".
    std::string shown() const {
        std::string text;
        for (int pane = 0; pane < int(state_.scene.panes.size()); ++pane) {
            text += (pane > 0 ? ", " : "") + pane_name(pane);
            if (pane_picture(state_, pane).against) text += " − " + counterpart_name(state_, pane);
        }
        return text;
    }
    AppState state_;
};

TEST_F(Differences, TwoPhotographsAreComparedAsTwoMethodsAre) {
    for (const Arrangement arrangement : {Arrangement::columns, Arrangement::wipe}) {
        state_.scene.arrangement = arrangement;
        press_d();
        EXPECT_EQ(shown(), "A, B − A");
        press_d();
        EXPECT_EQ(shown(), "A, B");
    }
    apply("images");
    for (const Arrangement arrangement : {Arrangement::columns, Arrangement::wipe}) {
        state_.scene.arrangement = arrangement;
        press_d();
        EXPECT_EQ(shown(), "A, B − A");
        press_d();
    }
}

TEST_F(Differences, FlippedEachShowsItself) {
    for (const bool photographs : {false, true}) {
        if (photographs) apply("images");
        state_.scene.arrangement = Arrangement::single;
        press_d();
        for (const char* expected : {"A", "B"}) {
            const int active = state_.scene.active;
            EXPECT_EQ(pane_name(active), expected);
            EXPECT_TRUE(pane_picture(state_, active).against);
            EXPECT_EQ(counterpart_name(state_, active), active == 0 ? "B" : "A");
            flip_panes(state_);
        }
        press_d();
    }
}

TEST_F(Differences, OfFourMethodsAllButAShowThem) {
    apply("four-methods");
    press_d();
    EXPECT_EQ(shown(), "A, B − A, C − A, D − A");
}

TEST_F(Differences, AreFromAReferenceOnceOneIsChosen) {
    state_.scene.arrangement = Arrangement::columns;
    choose_reference(state_, {Reference::Kind::method, parse_spec("lanczos3"), {}});
    press_d();
    EXPECT_EQ(shown(), "A − Lanczos 3, B − Lanczos 3");
    measure_against_pane(state_, 0);
    EXPECT_EQ(shown(), "A, B − nearest neighbour") << "the reference keeps its picture";
}

TEST_F(Differences, SaySoIfThereAreNone) {
    state_.scene.arrangement = Arrangement::columns;
    state_.scene.panes[1].spec = state_.scene.panes[0].spec;
    measure_against_pane(state_, 0);
    press_d();
    EXPECT_EQ(shown(), "A, B");
    ASSERT_EQ(state_.messages.size(), 1u);
    EXPECT_THAT(state_.messages[0].text, HasSubstr("No difference to show"));
}

TEST_F(Differences, OfOnePaneAreItsOwn) {
    state_.scene.arrangement = Arrangement::columns;
    choose_reference(state_, {Reference::Kind::method, parse_spec("lanczos3"), {}});
    toggle_difference(state_, 1);
    EXPECT_EQ(shown(), "A, B − Lanczos 3");
    press_d();
    EXPECT_EQ(shown(), "A, B") << "D ends it";
}

}  // namespace
}  // namespace texelscope::test
