// Levels and auto contrast as edits of the state.

#include "app/viewer/editing/display_edits.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gpu/tiles/image_tiles.h"

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

TEST(DisplayEdits, BlackStaysBelowWhite) {
    AppState state;
    const DisplaySettings& display = state.scene.display;
    for (const double value : {0.5, 1.0, 2.0, -7.0, 1e8, 1e30, -1e30, double(NAN), double(INFINITY)}) {
        set_black_level(state, value);
        EXPECT_LT(display.black, display.white) << value;
        set_white_level(state, -value);
        EXPECT_LT(display.black, display.white) << value;
        EXPECT_LE(std::abs(display.black), 1e9f);
        EXPECT_LE(std::abs(display.white), 1e9f);
    }
    state.scene.display = {};
    set_black_level(state, 0.25);
    set_white_level(state, 0.75);
    EXPECT_EQ(display.black, 0.25f);
    EXPECT_EQ(display.white, 0.75f);
}

TEST(DisplayEdits, AutoContrastSetsTheLevelsOfTheSelection) {
    AppState state = with_ramp();
    set_auto_contrast(state, 0.05);
    EXPECT_NEAR(state.scene.display.black, 0.05, 1e-6);
    EXPECT_NEAR(state.scene.display.white, 0.95, 1e-6);
    state.scene.selection = Region{39.5, -0.5, 60.5, 0.5};
    set_auto_contrast(state, 0);
    EXPECT_NEAR(state.scene.display.black, 0.4, 1e-6);
    EXPECT_NEAR(state.scene.display.white, 0.6, 1e-6);
    state.scene.selection = Region{40, -0.5, 40.2, 0.5};
    set_auto_contrast(state, 0);
    EXPECT_NEAR(state.scene.display.black, 0.4, 1e-6) << "one sample has no contrast";
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
    set_levels(state, Levels{0.25f, 0.5f});
    EXPECT_EQ(state.scene.display.black, 0.25f);
    EXPECT_EQ(state.scene.display.white, 0.5f);
}

TEST(DisplayEdits, FalseColourOfColoursIsAMessage) {
    AppState state = with_ramp();
    choose_false_colour(state, ColourMap::ember);
    EXPECT_EQ(state.scene.display.map, ColourMap::ember);
    EXPECT_TRUE(state.messages.empty());
    state.scene.display = {};
    state.scene.documents[0].image = std::make_shared<const Image>(4, 4, 3, SampleType::u8);
    choose_false_colour(state, ColourMap::ember);
    EXPECT_EQ(state.scene.display.map, ColourMap::channels);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_NE(state.messages[0].text.find("single channel"), std::string::npos);
    choose_false_colour(state, ColourMap::channels);
    EXPECT_EQ(state.messages.size(), 1u) << "none is always possible";
    state.scene.display.channel = ChannelView::second;
    choose_false_colour(state, ColourMap::lagoon);
    EXPECT_EQ(state.scene.display.map, ColourMap::lagoon);
}

TEST(DisplayEdits, WhatMakesThePictureBrighterIsNamedAndUndone) {
    AppState state = with_ramp();
    DisplaySettings& display = state.scene.display;
    EXPECT_EQ(tone_words(display), "");
    display.map = ColourMap::channels;
    display.by_profile = false;
    EXPECT_EQ(tone_words(display), "") << "neither brighter nor darker";
    change_exposure(state, -0.5f);
    EXPECT_EQ(tone_words(display), "exposure −0.5");
    display.gamma = 2.2f;
    EXPECT_EQ(tone_words(display), "exposure −0.5 + 1 more");
    set_white_level(state, 0.5);
    EXPECT_EQ(tone_words(display), "levels + 2 more");
    reset_tones(state);
    EXPECT_EQ(tone_words(display), "");
    EXPECT_FALSE(display.by_profile) << "this is something else";
    display.by_profile = true;
    EXPECT_TRUE(display == DisplaySettings{});
}

}  // namespace
}  // namespace texelscope::test
