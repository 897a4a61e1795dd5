// Levels and auto contrast as edits of the state.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/state/panes.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "gpu/core/tile_source.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

AppState with_ramp() {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}};
    Image image(101, 1, 1, SampleType::f32);
    for (int x = 0; x < 101; ++x) image.row_as<float>(0)[x] = float(x) / 100;
    Document document;
    document.source = "@x";
    document.image = std::make_shared<const Image>(std::move(image));
    state.scene.documents = {document};
    state.scene.current = 0;
    return state;
}

Levels shown_levels(const AppState& state) { return levels_of(state.scene, state.scene.active); }

TEST(DisplayEdits, BlackStaysBelowWhite) {
    for (const bool locked : {false, true}) {
        AppState state = with_ramp();
        lock_levels(state.scene, locked);
        for (const double value : {0.5, 1.0, 2.0, -7.0, 1e8, 1e-20, 1e35, -1e35, double(NAN), double(INFINITY)}) {
            for (const auto& [set, to] : {std::pair{&set_black_level, value}, {&set_white_level, -value}}) {
                set(state.scene, to);
                const Levels levels = shown_levels(state);
                EXPECT_LT(levels.black, levels.white) << value;
                EXPECT_LE(std::max(std::abs(levels.black), std::abs(levels.white)), 1e30f);
            }
        }
        reset_display(state.scene);
        set_black_level(state.scene, 0.25);
        set_white_level(state.scene, 0.75);
        EXPECT_EQ(shown_levels(state), (Levels{0.25f, 0.75f}));
    }
    AppState empty;
    set_black_level(empty.scene, 0.5);
    EXPECT_TRUE(empty.scene.display == DisplaySettings{}) << "there is no image whose levels these would be";
}

TEST(DisplayEdits, AutoContrastSetsTheLevelsOfTheSelection) {
    AppState state = with_ramp();
    set_auto_contrast(state, 0.05);
    EXPECT_NEAR(shown_levels(state).black, 0.05, 1e-6);
    EXPECT_NEAR(shown_levels(state).white, 0.95, 1e-6);
    state.scene.selection = Region{39.5, -0.5, 60.5, 0.5};
    set_auto_contrast(state, 0);
    EXPECT_NEAR(shown_levels(state).black, 0.4, 1e-6);
    EXPECT_NEAR(shown_levels(state).white, 0.6, 1e-6);
    state.scene.selection = Region{40, -0.5, 40.2, 0.5};
    set_auto_contrast(state, 0);
    EXPECT_NEAR(shown_levels(state).black, 0.4, 1e-6) << "one sample has no contrast";
    EXPECT_EQ(state.messages.size(), 1u);
}

TEST(DisplayEdits, AutoContrastOfALargeImageIsATask) {
    AppState state = with_ramp();
    const DisplaySettings before = state.scene.display;
    const auto image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.documents[0].image = std::make_shared<const Image>(std::make_shared<ImageTiles>(image));
    set_auto_contrast(state, 0.05);
    EXPECT_EQ(state.scene.display, before);
    ASSERT_EQ(state.tasks.size(), 1u);
    ASSERT_TRUE(std::holds_alternative<task::AutoContrast>(state.tasks[0]));
    EXPECT_EQ(std::get<task::AutoContrast>(state.tasks[0]).share, 0.05);
    set_levels(state.scene, state.messages, Levels{0.25f, 0.5f});
    EXPECT_EQ(shown_levels(state).black, 0.25f);
    EXPECT_EQ(shown_levels(state).white, 0.5f);
}

TEST(DisplayEdits, FalseColourOfColoursIsAMessage) {
    AppState state = with_ramp();
    choose_false_colour(state.scene, state.messages, ColourMap::ember);
    EXPECT_EQ(state.scene.display.map, ColourMap::ember);
    EXPECT_TRUE(state.messages.empty());
    state.scene.display = {};
    state.scene.documents[0].image = std::make_shared<const Image>(4, 4, 3, SampleType::u8);
    choose_false_colour(state.scene, state.messages, ColourMap::ember);
    EXPECT_EQ(state.scene.display.map, ColourMap::channels);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_NE(state.messages[0].text.find("single channel"), std::string::npos);
    choose_false_colour(state.scene, state.messages, ColourMap::channels);
    EXPECT_EQ(state.messages.size(), 1u) << "none is always possible";
    state.scene.display.channel = ChannelView::second;
    choose_false_colour(state.scene, state.messages, ColourMap::lagoon);
    EXPECT_EQ(state.scene.display.map, ColourMap::lagoon);
}

TEST(DisplayEdits, WhatMakesThePictureBrighterIsNamedAndUndone) {
    AppState state = with_ramp();
    DisplaySettings& display = state.scene.display;
    EXPECT_EQ(tone_words(state), "");
    display.map = ColourMap::channels;
    display.by_profile = false;
    EXPECT_EQ(tone_words(state), "") << "neither brighter nor darker";
    change_exposure(state.scene, -0.5f);
    EXPECT_EQ(tone_words(state), "exposure −0.5");
    display.gamma = 2.2f;
    EXPECT_EQ(tone_words(state), "exposure −0.5 + 1 more");
    set_white_level(state.scene, 0.5);
    EXPECT_EQ(tone_words(state), "levels 0 … 0.5 + 2 more");
    reset_tones(state.scene);
    EXPECT_EQ(tone_words(state), "");
    EXPECT_FALSE(display.by_profile) << "this is something else";
    display.by_profile = true;
    EXPECT_TRUE(display == DisplaySettings{});
}

// Two images, one of them data.
AppState with_data() {
    AppState state = with_ramp();
    Document data;
    data.source = "/d/field.npy";
    data.image = std::make_shared<const Image>(4, 4, 1, SampleType::f32);
    data.look.levels = Levels{268, 292};
    state.scene.documents.push_back(data);
    state.scene.current = 1;
    return state;
}

TEST(DisplayEdits, LevelsBelongToTheImage) {
    AppState state = with_data();
    EXPECT_EQ(shown_levels(state), (Levels{268, 292}));
    EXPECT_EQ(levels_words(state), "levels 268 … 292 from the data");
    EXPECT_EQ(tone_words(state), "") << "as it opened";
    set_black_level(state.scene, 280);
    EXPECT_EQ(shown_levels(state), (Levels{280, 292}));
    EXPECT_EQ(levels_words(state), "");
    EXPECT_EQ(tone_words(state), "levels 280 … 292");
    state.scene.current = 0;
    EXPECT_EQ(shown_levels(state), Levels{}) << "they do not survive into another image";
    EXPECT_EQ(tone_words(state), "");
    state.scene.current = 1;
    EXPECT_EQ(shown_levels(state), (Levels{280, 292}));
    reset_tones(state.scene);
    EXPECT_EQ(shown_levels(state), (Levels{268, 292}));
}

TEST(DisplayEdits, OneKeyLeadsFromTheDataToZeroAndOneAndBack) {
    AppState state = with_data();
    toggle_levels(state);
    EXPECT_EQ(shown_levels(state), Levels{});
    EXPECT_EQ(tone_words(state), "levels 0 … 1");
    toggle_levels(state);
    EXPECT_EQ(shown_levels(state), (Levels{268, 292}));
    EXPECT_TRUE(is_display_usual(state.scene));
    state.scene.current = 0;  // a ramp in hundredths, which opened with 0 and 1
    toggle_levels(state);
    EXPECT_NEAR(shown_levels(state).black, 0.001, 1e-6);
    EXPECT_NEAR(shown_levels(state).white, 0.999, 1e-6);
    toggle_levels(state);
    EXPECT_EQ(shown_levels(state), Levels{});
}

TEST(DisplayEdits, LockedLevelsAreForAllImages) {
    AppState state = with_data();
    lock_levels(state.scene, true);
    state.scene.current = 0;
    EXPECT_EQ(shown_levels(state), (Levels{268, 292}));
    set_black_level(state.scene, 0);
    state.scene.current = 1;
    EXPECT_EQ(shown_levels(state), (Levels{0, 292}));
    EXPECT_FALSE(is_display_usual(state.scene));
    lock_levels(state.scene, false);
    EXPECT_EQ(shown_levels(state), (Levels{0, 292})) << "nothing changes on the screen";
    state.scene.current = 0;
    EXPECT_EQ(shown_levels(state), Levels{});
    EXPECT_TRUE(state.scene.display == DisplaySettings{});
}

// A pane shows its own image's levels, whatever is current; marks only what there is to mark.
TEST(DisplayEdits, EachPaneHasTheDisplayOfItsImage) {
    AppState state = with_data();
    state.scene.panes.push_back(state.scene.panes[0]);
    state.scene.panes[1].source = "@x";
    EXPECT_EQ(display_of(state.scene, 0).white, 292);
    EXPECT_EQ(display_of(state.scene, 1).white, 1);
    EXPECT_FALSE(display_of(state.scene, 0).mark_nonfinite);
    state.scene.documents[1].look.nan = true;
    EXPECT_TRUE(display_of(state.scene, 0).mark_nonfinite);
    EXPECT_FALSE(display_of(state.scene, 1).mark_nonfinite);
    state.scene.display.mark_nonfinite = false;
    EXPECT_FALSE(display_of(state.scene, 0).mark_nonfinite);
}

}  // namespace

// Which open images the dialogs about recipes take, and the panes that they make.

namespace {

using ::testing::HasSubstr;

// A smooth picture of any size; the same one but for `kind`.
Document smooth(const std::string& source, int width, int height, int kind = 0, int channels = 1) {
    auto image = std::make_shared<Image>(width, height, channels, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width * channels; ++x) {
            const float u = float(x) / float(width * channels), v = float(y) / float(height);
            image->row_as<float>(y)[x] = kind == 0 ? u * v + 0.3f * u : 1 - v * v;
        }
    Document made;
    made.source = source;
    made.image = std::move(image);
    return made;
}

class RecipePairs : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{parse_spec("nearest")}};
        state_.scene.current = 0;
    }
    const IdentifyUi& guess(std::vector<Document> open) {
        state_.scene.documents = std::move(open);
        state_.scene.current = state_.scene.documents.empty() ? -1 : 0;
        follow_pair(state_);
        return state_.ui.identifying;
    }
    std::string refusal(std::vector<Document> open) {
        guess(std::move(open));
        return why_no_pair(state_.scene, state_.ui.identifying);
    }
    AppState state_;
};

TEST_F(RecipePairs, TheSmallerOneIsTheResult) {
    for (const bool small_first : {false, true}) {
        const Document large = smooth("/large.png", 64, 48), small = smooth("/small.png", 32, 24);
        const IdentifyUi& pair = guess(small_first ? std::vector{small, large} : std::vector{large, small});
        EXPECT_EQ(pair.original, "/large.png");
        EXPECT_EQ(pair.result, "/small.png");
        EXPECT_EQ(why_no_pair(state_.scene, pair), "");
    }
}

TEST_F(RecipePairs, TheOneThatShowsTheSameIsPreferred) {
    const IdentifyUi& pair =
        guess({smooth("/large.png", 64, 48), smooth("/small.png", 32, 24), smooth("/other.png", 16, 12, 1)});
    EXPECT_EQ(pair.result, "/small.png");
}

TEST_F(RecipePairs, AChoiceStaysWhenAnotherImageIsOpened) {
    guess({smooth("/large.png", 64, 48), smooth("/small.png", 32, 24)});
    IdentifyUi& pair = state_.ui.identifying;
    std::swap(pair.original, pair.result);
    pair.chosen = true;
    state_.scene.documents.push_back(smooth("/other.png", 16, 12));
    follow_pair(state_);
    EXPECT_EQ(pair.original, "/small.png");
    EXPECT_EQ(pair.result, "/large.png");
}

TEST_F(RecipePairs, EachRefusalSaysWhatIsWrong) {
    EXPECT_THAT(refusal({}), HasSubstr("Open two pictures"));
    EXPECT_THAT(refusal({smooth("/a.png", 8, 8)}), HasSubstr("Only a.png is open"));
    EXPECT_EQ(refusal({smooth("/a.png", 8, 6), smooth("/b.png", 8, 6)}), "Both are 8×6: nothing was resized.");
    EXPECT_THAT(refusal({smooth("/a.png", 8, 8, 0, 3), smooth("/b.png", 4, 4)}),
                HasSubstr("a.png has 3 channels and b.png has 1 channel"));
    Document signal = smooth("/s.npy", 8, 1);
    auto line = std::make_shared<Image>(*signal.image);
    line->set_one_dimensional(true);
    signal.image = line;
    EXPECT_THAT(refusal({smooth("/a.png", 8, 8), signal}), HasSubstr("s.npy is a signal"));
}

TEST_F(RecipePairs, AnImageThatHasNotBeenReadIsAskedFor) {
    Document unread;
    unread.source = "/later.png";
    EXPECT_EQ(refusal({smooth("/a.png", 8, 8), unread}), "later.png is being read.");
    ASSERT_EQ(state_.tasks.size(), 1u);
    EXPECT_EQ(std::get<task::LoadDocument>(state_.tasks[0]).source, "/later.png");
}

TEST_F(RecipePairs, RecipesAndSizesAreTyped) {
    state_.scene.documents = {smooth("/a.png", 64, 48)};
    const auto asked = [&](const char* from, const char* to, const char* size) {
        return explained_pair(state_.scene, {from, to, size, {}});
    };
    const ExplainedPair pair = asked("pillow/box", "like:opencv/area", "0.5");
    EXPECT_EQ(pair.problem, "");
    EXPECT_EQ(pair.from, "like:pillow/box");
    EXPECT_EQ(pair.size, (Extent{32, 24}));
    EXPECT_EQ(asked("pillow/box", "opencv/area", "20x10").size, (Extent{20, 10}));
    EXPECT_THAT(asked("pillow/box", "opencv/area", "half").problem, HasSubstr("“half” is no size"));
    EXPECT_THAT(asked("pillow/box", "opencv/aera", "0.5").problem, HasSubstr("opencv/area"));
    EXPECT_THAT(asked("pillow/box", "pillow/box", "0.5").problem, HasSubstr("the same recipe"));
}

TEST_F(RecipePairs, PanesShowTheResultAndTheDifferenceToIt) {
    state_.scene.documents = {smooth("/large.png", 64, 48), smooth("/small.png", 32, 24)};
    const auto made = [](const char* recipe) {
        return ResizedPicture{{.size = {32, 24}, .recipe = recipe, .original = "/large.png"}, recipe};
    };
    show_beside_result(state_, "/small.png", made("like:pillow/box"), 1 / 255.0);
    show_beside_result(state_, "/small.png", made("like:opencv/area"), 3 / 255.0);
    const Scene& scene = state_.scene;
    ASSERT_EQ(scene.documents.size(), 3u) << "the picture before is not kept open";
    EXPECT_EQ(scene.document()->source, "/small.png");
    ASSERT_EQ(scene.panes.size(), 2u);
    EXPECT_EQ(document_of(scene, scene.panes[0])->source, "/small.png");
    EXPECT_EQ(document_of(scene, scene.panes[1])->source, "@resized:32x24;like:opencv/area;;;/large.png");
    EXPECT_FALSE(scene.panes[0].difference);
    EXPECT_TRUE(scene.panes[1].difference);
    EXPECT_EQ(scene.reference.source, "/small.png");
    EXPECT_EQ(scene.difference.gain, 64) << "the colours end above the largest difference";
}

}  // namespace
}  // namespace texelscope::test
