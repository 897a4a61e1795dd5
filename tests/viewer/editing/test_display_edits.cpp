// Levels and auto contrast as edits of the state.

#include "app/viewer/editing/display_edits.h"

#include <cmath>

#include <gtest/gtest.h>

#include "app/state/panes.h"
#include "gpu/core/tile_source.h"

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
}  // namespace texelscope::test
