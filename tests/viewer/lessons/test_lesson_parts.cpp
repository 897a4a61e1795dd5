// Tables in a lesson, lines of source that a step is about, and the reader's own picture.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "app/state/panes.h"
#include "app/viewer/lessons/lesson.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

const std::string head = "# T\n\nSummary.\n\n## S\n\nText.\n\n";  // the next line is the ninth

Lesson parsed(const std::string& text) { return parse_lesson(text, "x.md", "/folder"); }

std::string error_of(const std::string& text) {
    return refusal([&] { parsed(text); });
}

std::string words(const TextBlock& block) { return plain_text(std::span(&block, 1)); }

// Tables.

TEST(LessonTable, IsAHeadingAndRowsOfCells) {
    using Kind = TextBlock::Kind;
    const Lesson lesson = parsed(
        head +
        "| library | *pixel* i reads |\n| --- | ----- |\n| ours | `a|b` \\| (i + ½)/F |\n|  | c |\nAfter.\n\n| x |\n| --- |\n| 1 |\n");
    const auto& text = lesson.steps[0].text;
    ASSERT_EQ(text.size(), 1u + 6 + 1 + 2);
    const std::pair<Kind, const char*> cells[] = {{Kind::heading_cell, "library"},
                                                  {Kind::heading_cell, "pixel i reads"},
                                                  {Kind::cell, "ours"},
                                                  {Kind::cell, "a|b | (i + ½)/F"},
                                                  {Kind::cell, ""},
                                                  {Kind::cell, "c"}};
    for (size_t i = 0; i < std::size(cells); ++i) {
        EXPECT_EQ(text[i + 1].kind, cells[i].first) << i;
        EXPECT_EQ(words(text[i + 1]), cells[i].second);
        EXPECT_EQ(text[i + 1].column, int(i % 2));
        EXPECT_EQ(text[i + 1].columns, 2);
    }
    EXPECT_EQ(text[1].spans[0].style, TextSpan::Style::bold);
    EXPECT_EQ(text[4].spans[0].style, TextSpan::Style::code);
    EXPECT_EQ(words(text[7]), "After.");
    const std::span<const TextBlock> all(text);
    EXPECT_EQ(cells_of_table(all), 0u);
    EXPECT_EQ(cells_of_table(all.subspan(1)), 6u);
    EXPECT_EQ(cells_of_table(all.subspan(8)), 2u);
}

TEST(LessonTable, TwoThatTouchAreTwo) {
    const Lesson lesson = parsed(head + "| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n| 2 |\n| 3 |\n");
    const std::span<const TextBlock> all(lesson.steps[0].text);
    EXPECT_EQ(cells_of_table(all.subspan(1)), 2u);
    EXPECT_EQ(cells_of_table(all.subspan(3)), 3u);
}

TEST(LessonTable, WhatIsWrongIsToldWithItsLine) {
    const struct {
        std::string text;
        int line;
        const char* word;
    } wrong[] = {
        {"| a | b\n", 9, "last bar"},
        {"| a | `b |\n", 9, "last bar"},
        {"|\n", 9, "begins and ends"},
        {"| a | b |\n\nText.\n", 9, "no row"},
        {"| a | b |\n| --- | --- |\n", 9, "no row"},
        {"| a | b |\n| 1 | 2 |\n", 10, "| --- |"},
        {"| --- |\n| --- |\n", 9, "| --- |"},
        {"| a | b |\n| --- |\n", 10, "1 cells"},
        {"| a | b |\n| --- | --- |\n| 1 | 2 | 3 |\n", 11, "3 cells"},
        {"| a |\n| --- |\n| 1 |\n| --- |\n", 12, "| --- |"},
        {"| a |\n| --- |\n| **b |\n", 11, "not closed"},
    };
    for (const auto& [text, line, word] : wrong) {
        const std::string error = error_of(head + text);
        EXPECT_TRUE(error.starts_with("x.md:" + std::to_string(line) + ": ")) << error << "\n" << text;
        EXPECT_NE(error.find(word), std::string::npos) << error << "\n" << text;
    }
}

// Lines of source.

TEST(LessonSource, ALineIsMarkedByWhatIsInIt) {
    const std::string begin = head + "```source\ngpu/methods/bilinear.cpp: weights\n";
    const Lesson lesson = parsed(begin + "> w[1] =\n```\n");
    const SourcePiece& piece = lesson.steps[0].sources.at(0);
    ASSERT_EQ(piece.marked.size(), 1u);
    EXPECT_NE(piece.lines[piece.marked[0]].find("w[1] = t"), std::string::npos);
    EXPECT_TRUE(parsed(begin + "```\n").steps[0].sources.at(0).marked.empty());
    const std::string error = error_of(begin + "> w[7] =\n```\n");
    EXPECT_TRUE(error.starts_with("x.md:11: ")) << error;
    EXPECT_NE(error.find("contains \"w[7] =\""), std::string::npos) << error;
    EXPECT_FALSE(error_of(head + "```source\n> w[1] =\n```\n").empty()) << "of which excerpt?";
}

// The reader's own picture.

const std::string with_picture =
    "Of {picture}.\n\n```sliders\npicture = @text:128, or yours\nturns = 3 from 0 to 36 by 1\n```\n\n"
    "```state\n{\"images\": [{\"source\": \"{picture}\", \"region\": {\"x0\": 1, \"y0\": 2, \"x1\": 30, \"y1\": 20}},\n"
    " {\"source\": \"@turned:{turns}x10;bilinear;{picture}\"}], \"panes\": [{\"spec\": \"nearest\", \"image\": "
    "\"@turned:{turns}x10;bilinear;{picture}\"}]}\n```\n";

TEST(LessonPicture, StandsWhereTheLessonsOwnDid) {
    const Lesson lesson = parsed(head + with_picture);
    const LessonStep& step = lesson.steps[0];
    const double turns[] = {0, 5};
    const Session ours = session_of_state(lesson, step, step.state, turns);
    EXPECT_EQ(ours.scene.documents.at(0).source, "@text:128");
    EXPECT_EQ(ours.scene.documents.at(1).source, "@turned:5x10;bilinear;@text:128");
    EXPECT_TRUE(ours.scene.documents[0].region.has_value());
    // A name with all that JSON and lessons give a meaning to.
    const std::string photo = "/d/my {turns} \"photo\"\\1.png";
    const Session yours = session_of_state(lesson, step, step.state, turns, photo);
    EXPECT_EQ(yours.scene.documents.at(0).source, photo);
    EXPECT_EQ(yours.scene.documents.at(1).source, "@turned:5x10;bilinear;" + photo);
    EXPECT_EQ(yours.scene.panes.at(0).source, "@turned:5x10;bilinear;" + photo);
    EXPECT_FALSE(yours.scene.documents[0].region.has_value()) << "a part of ours means nothing there";
    EXPECT_TRUE(yours.scene.documents[0].keep_fit);
}

TEST(LessonPicture, IsTakenFromStepToStep) {
    AppState state;
    state.scene.panes = {{parse_spec("nearest")}};
    Document& before = state.scene.documents.emplace_back();
    before.source = "/d/photo.png";
    before.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.current = 0;
    state.places.picture = {0, 0, 100, 100};
    const auto lesson = std::make_shared<const Lesson>(
        parsed(head + with_picture + "\n## Two\n\nText.\n\n```state\n{\"image\": \"@step:8\"}\n```\n\n## Three\n\n" +
               with_picture));
    begin_lesson(state, lesson);
    enter_step(state, 0);
    EXPECT_TRUE(takes_picture(state.lesson));
    EXPECT_EQ(live_text(state, "picture"), "@text:128");
    EXPECT_EQ(picture_before(state.lesson), "/d/photo.png");
    use_picture(state, picture_before(state.lesson));
    ASSERT_EQ(state.tasks.size(), 1u);
    EXPECT_TRUE(std::get<task::ShowStep>(state.tasks[0]).again);
    enter_step(state, 0, true);
    EXPECT_EQ(state.scene.documents.at(0).source, "/d/photo.png");
    EXPECT_EQ(live_text(state, "picture"), "photo.png");
    enter_step(state, 1);
    EXPECT_FALSE(takes_picture(state.lesson));
    EXPECT_EQ(state.scene.documents.at(0).source, "@step:8");
    enter_step(state, 2);
    EXPECT_EQ(state.scene.documents.at(0).source, "/d/photo.png");
    use_picture(state, "");
    enter_step(state, 2, true);
    EXPECT_EQ(state.scene.documents.at(0).source, "@text:128");
}

TEST(LessonPicture, WhatIsWrongIsToldWithItsLine) {
    const std::string sliders = head + "```sliders\npicture = @text:128, or yours\n```\n\n";
    EXPECT_TRUE(error_of(head + "```sliders\npicture = , or yours\n```\n").starts_with("x.md:10: this is no picture"));
    EXPECT_TRUE(
        error_of(head + "```sliders\npicture @text:128, or yours\n```\n").starts_with("x.md:10: this is no picture"));
    EXPECT_TRUE(error_of(sliders).starts_with("x.md:5: ")) << "there is no state";
    const std::string formula =
        error_of(sliders + "```state\n{\"image\": \"{picture}\", \"reference\": {\"kind\": \"truth\"}}\n```\n");
    EXPECT_TRUE(formula.starts_with("x.md:13: ")) << formula;
    EXPECT_NE(formula.find("no formula"), std::string::npos) << formula;
}

}  // namespace
}  // namespace texelscope::test
