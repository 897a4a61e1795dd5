// The command palette's matching.

#include <gtest/gtest.h>

#include "app/text/search.h"
#include "app/viewer/editing/action_search.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope::test {
namespace {

AppState with_image() {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bspline"))}, {default_spec(*find_method("nearest"))}};
    Document document;
    document.source = "@constant";
    document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.documents.push_back(document);
    state.scene.current = 0;
    return state;
}

std::string first(std::string_view letters) {
    const auto found = matching_actions(with_image(), letters);
    return found.empty() ? "" : found.front()->id;
}

TEST(Palette, LettersMustOccurInTheirOrder) {
    EXPECT_TRUE(match_score("", "Lanczos 3"));
    EXPECT_TRUE(match_score("lz3", "Lanczos 3"));
    EXPECT_TRUE(match_score("LANCZOS 3", "Lanczos 3"));
    EXPECT_FALSE(match_score("3l", "Lanczos 3"));
    EXPECT_FALSE(match_score("lanczos 3x", "Lanczos 3"));
}

TEST(Palette, WholeWordsAndBeginningsOfWordsWin) {
    EXPECT_GT(*match_score("fit", "Fit"), *match_score("fit", "Keep fitting"));
    EXPECT_GT(*match_score("sv", "Save view…"), *match_score("sv", "As Views linked"));
    EXPECT_EQ(first("lanczos 3"), "method.lanczos3");
    EXPECT_EQ(first("quit"), "file.quit");
    EXPECT_EQ(first("three paths"), "preset.paths");
    EXPECT_EQ(first("loupe"), "compare.loupe");
}

TEST(Palette, WhatNeedsAPictureIsFoundWhileTheFirstOneIsRead) {
    AppState state = with_image();
    state.scene.documents[0].image.reset();
    ASSERT_TRUE(awaits_picture(state));
    ASSERT_FALSE(matching_actions(state, "which is best").empty());
    EXPECT_EQ(matching_actions(state, "which is best").front()->id, "compare.best");
    state.scene.documents[0].unreadable = true;
    EXPECT_FALSE(awaits_picture(state));
    for (const Action* action : matching_actions(state, "which is best")) EXPECT_NE(action->id, "compare.best");
}

TEST(Palette, ActionsAreFoundByOtherWordsForThem) {
    for (const char* words : {"best", "restore", "choose a method", "recommend"})
        EXPECT_EQ(first(words), "compare.best") << words;
    for (const char* words : {"background", "checkerboard", "transparency", "transparent"})
        EXPECT_EQ(first(words), "display.checkerboard") << words;
    for (const char* words : {"export", "resize"}) EXPECT_EQ(first(words), "file.export") << words;
}

// Lessons have long titles with most letters in them.
TEST(Palette, CommandsComeBeforeLessons) {
    for (const char* letters : {"rot", "zoom", "pre", "edge"}) {
        bool lesson = false;
        int commands = 0;
        for (const Action* action : matching_actions(with_image(), letters)) {
            lesson = lesson || action->id.starts_with("lesson.");
            const bool as_typed = contains_ignoring_case(action->title, letters);
            const bool command = as_typed && !action->id.starts_with("lesson.");
            EXPECT_FALSE(command && lesson) << letters << ": " << action->id;
            commands += command;
        }
        EXPECT_GT(commands, 0) << letters;
    }
    // By its title, a lesson is among the first: commands may have the same words.
    for (const Lesson& lesson : all_lessons()) {
        const auto found = matching_actions(with_image(), lesson.title);
        const auto at = std::find_if(found.begin(), found.end(),
                                     [&](const Action* action) { return action->id == "lesson." + lesson.name; });
        EXPECT_LT(at - found.begin(), 3) << lesson.title;
    }
}

TEST(Palette, OnlyWhatCanBeDone) {
    const AppState state = with_image();
    for (const Action* action : matching_actions(state, "")) EXPECT_TRUE(action->is_enabled(state)) << action->id;
    EXPECT_TRUE(matching_actions(state, "qqqqqq").empty());
}

}  // namespace
}  // namespace texelscope::test
