// Tables in a lesson, lines of source that a step is about, the reader's own picture; and lessons of the user's own.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

const std::string step_head = "# T\n\nSummary.\n\n## S\n\nText.\n\n";  // the next line is the ninth

Lesson lesson_from(const std::string& text) { return parse_lesson(text, "x.md", "/folder"); }

std::string complaint_of(const std::string& text) {
    return refusal([&] { lesson_from(text); });
}

std::string cell_words(const TextBlock& block) { return plain_text(std::span(&block, 1)); }

// Links.

TEST(Lesson, LinksNameStepsMethodsAndTerms) {
    const Lesson lesson = parse_lesson(
        "# T\n\n## One\n\nSee [the half](half-texel#3), [below](#2), [Mitchell](method:mitchell), [it](term:aliasing), "
        "a[0](x) and \\[this](not).\n\n## Two\n\nText.\n",
        "links.md", {});
    std::vector<std::string> targets;
    for (const TextSpan& span : lesson.steps[0].text[0].spans)
        if (span.style == TextSpan::Style::link) targets.push_back(span.target);
    EXPECT_EQ(targets, (std::vector<std::string>{"half-texel#3", "#2", "method:mitchell", "term:aliasing", "x"}));
    EXPECT_EQ(parse_target("half-texel#3").step, 2);
    EXPECT_EQ(parse_target("method:mitchell").method->id, "mitchell");
    EXPECT_THROW(parse_target("term:no-such-word"), Error);
    EXPECT_THROW(parse_target("https://example.org"), Error);
    EXPECT_THROW(parse_target(""), Error);
}

// Tables.

TEST(LessonTable, IsAHeadingAndRowsOfCells) {
    using Kind = TextBlock::Kind;
    const Lesson lesson = lesson_from(
        step_head +
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
        EXPECT_EQ(cell_words(text[i + 1]), cells[i].second);
        EXPECT_EQ(text[i + 1].column, int(i % 2));
        EXPECT_EQ(text[i + 1].columns, 2);
    }
    EXPECT_EQ(text[1].spans[0].style, TextSpan::Style::bold);
    EXPECT_EQ(text[4].spans[0].style, TextSpan::Style::code);
    EXPECT_EQ(cell_words(text[7]), "After.");
    const std::span<const TextBlock> all(text);
    EXPECT_EQ(cells_of_table(all), 0u);
    EXPECT_EQ(cells_of_table(all.subspan(1)), 6u);
    EXPECT_EQ(cells_of_table(all.subspan(8)), 2u);
}

TEST(LessonTable, TwoThatTouchAreTwo) {
    const Lesson lesson = lesson_from(step_head + "| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n| 2 |\n| 3 |\n");
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
        {"| a | b\n", 9, "begins and ends"},
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
        const std::string error = complaint_of(step_head + text);
        EXPECT_TRUE(error.starts_with("x.md:" + std::to_string(line) + ": ")) << error << "\n" << text;
        EXPECT_NE(error.find(word), std::string::npos) << error << "\n" << text;
    }
}

// Lines of source.

TEST(LessonSource, ALineIsMarkedByWhatIsInIt) {
    const std::string begin = step_head + "```source\ngpu/methods/bilinear.cpp: weights\n";
    const Lesson lesson = lesson_from(begin + "> w[1] =\n```\n");
    const SourcePiece& piece = lesson.steps[0].sources.at(0);
    ASSERT_EQ(piece.marked.size(), 1u);
    EXPECT_NE(piece.lines[piece.marked[0]].find("w[1] = t"), std::string::npos);
    EXPECT_TRUE(lesson_from(begin + "```\n").steps[0].sources.at(0).marked.empty());
    const std::string error = complaint_of(begin + "> w[7] =\n```\n");
    EXPECT_TRUE(error.starts_with("x.md:11: ")) << error;
    EXPECT_NE(error.find("contains \"w[7] =\""), std::string::npos) << error;
    EXPECT_FALSE(complaint_of(step_head + "```source\n> w[1] =\n```\n").empty()) << "of which excerpt?";
}

// The reader's own picture.

const std::string picture_step =
    "Of {picture}.\n\n```sliders\npicture = @text:128, or yours\nturns = 3 from 0 to 36 by 1\n```\n\n"
    "```state\n{\"images\": [{\"source\": \"{picture}\", \"region\": {\"x0\": 1, \"y0\": 2, \"x1\": 30, \"y1\": 20}},\n"
    " {\"source\": \"@turned:{turns}x10;bilinear;{picture}\"}], \"panes\": [{\"spec\": \"nearest\", \"image\": "
    "\"@turned:{turns}x10;bilinear;{picture}\"}]}\n```\n";

TEST(LessonPicture, StandsWhereTheLessonsOwnDid) {
    const Lesson lesson = lesson_from(step_head + picture_step);
    const LessonStep& step = lesson.steps[0];
    const double turns[] = {0, 5};
    const Session ours = session_of_state(lesson, step, step.state, turns);
    EXPECT_EQ(ours.scene.documents.at(0).source, "@text:128");
    EXPECT_EQ(ours.scene.documents.at(1).source, "@turned:5x10;bilinear;@text:128");
    EXPECT_TRUE(ours.scene.documents[0].region.has_value());
    // A name with all that JSON and lessons give a meaning to.
    const Folder folder;
    const std::string photo = folder.write("my {turns} \"photo\"\\1.png", "");
    const Session yours = session_of_state(lesson, step, step.state, turns, photo);
    EXPECT_EQ(yours.scene.documents.at(0).source, photo);
    EXPECT_EQ(yours.scene.documents.at(1).source, "@turned:5x10;bilinear;" + photo);
    EXPECT_EQ(yours.scene.panes.at(0).source, "@turned:5x10;bilinear;" + photo);
    EXPECT_FALSE(yours.scene.documents[0].region.has_value()) << "a part of ours means nothing there";
    EXPECT_TRUE(yours.scene.documents[0].keep_fit);
}

TEST(LessonPicture, IsTakenFromStepToStep) {
    const Folder folder;
    const std::string photo = folder.write("photo.png", "");
    AppState state;
    state.scene.panes = {{parse_spec("nearest")}};
    Document& before = state.scene.documents.emplace_back();
    before.source = photo;
    before.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.current = 0;
    state.places.picture = {0, 0, 100, 100};
    const auto lesson = std::make_shared<const Lesson>(
        lesson_from(step_head + picture_step +
                    "\n## Two\n\nText.\n\n```state\n{\"image\": \"@step:8\"}\n```\n\n## Three\n\n" + picture_step));
    begin_lesson(state, lesson);
    enter_step(state, 0);
    EXPECT_TRUE(takes_picture(state.lesson));
    EXPECT_EQ(live_text(state, "picture"), "@text:128");
    EXPECT_EQ(picture_before(state.lesson), photo);
    use_picture(state, picture_before(state.lesson));
    ASSERT_EQ(state.tasks.size(), 1u);
    EXPECT_TRUE(std::get<task::ShowStep>(state.tasks[0]).again);
    enter_step(state, 0, true);
    EXPECT_EQ(state.scene.documents.at(0).source, photo);
    EXPECT_EQ(live_text(state, "picture"), "photo.png");
    enter_step(state, 1);
    EXPECT_FALSE(takes_picture(state.lesson));
    EXPECT_EQ(state.scene.documents.at(0).source, "@step:8");
    enter_step(state, 2);
    EXPECT_EQ(state.scene.documents.at(0).source, photo);
    use_picture(state, "");
    enter_step(state, 2, true);
    EXPECT_EQ(state.scene.documents.at(0).source, "@text:128");
}

TEST(LessonPicture, WhatIsWrongIsToldWithItsLine) {
    const std::string sliders = step_head + "```sliders\npicture = @text:128, or yours\n```\n\n";
    EXPECT_TRUE(
        complaint_of(step_head + "```sliders\npicture = , or yours\n```\n").starts_with("x.md:10: this is no picture"));
    EXPECT_TRUE(complaint_of(step_head + "```sliders\npicture @text:128, or yours\n```\n")
                    .starts_with("x.md:10: this is no picture"));
    EXPECT_TRUE(complaint_of(sliders).starts_with("x.md:5: ")) << "there is no state";
    const std::string formula =
        complaint_of(sliders + "```state\n{\"image\": \"{picture}\", \"reference\": {\"kind\": \"truth\"}}\n```\n");
    EXPECT_TRUE(formula.starts_with("x.md:13: ")) << formula;
    EXPECT_NE(formula.find("no formula"), std::string::npos) << formula;
}

namespace fs = std::filesystem;

// The user's own lessons: their folder, and what is copied for them.

class OwnLessonFiles : public testing::Test {
protected:
    const Folder folder_;
};

TEST_F(OwnLessonFiles, AreListedByFileNameAndTheBrokenOnesNamed) {
    EXPECT_TRUE(read_own_lessons(folder_ / "none").lessons.empty());
    EXPECT_TRUE(read_own_lessons(folder_ / "none").problems.empty());
    folder_.write("2-second.md", "# Second\n\nLast *of all*.\n\n## Step\n\nText.\n");
    folder_.write("1-first.md", "# First\n\nA summary.\n\n## Step\n\nText.\n");
    folder_.write("3-broken.md", "# Broken\n\nNo step.\n");
    folder_.write("notes.txt", "# No lesson\n");
    const OwnLessons own = read_own_lessons(folder_);
    EXPECT_EQ(own.folder, folder_.string());
    ASSERT_EQ(own.lessons.size(), 2u);
    EXPECT_EQ(own.lessons[0].title, "First");
    EXPECT_EQ(own.lessons[1].summary, "Last of all.");
    ASSERT_EQ(own.problems.size(), 1u);
    EXPECT_TRUE(own.problems[0].starts_with("3-broken.md:")) << own.problems[0];
    // As the list opens it.
    EXPECT_EQ(find_lesson(own.lessons[0].source)->title, "First");
}

AppState showing(const fs::path& image) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}};
    Document& document = state.scene.documents.emplace_back();
    document.source = image.string();
    document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.current = 0;
    return state;
}

task::CopyText copied_step(AppState state) {
    find_action("learn.copy-step")->run(state);
    return std::get<task::CopyText>(state.tasks.at(0));
}

TEST_F(OwnLessonFiles, ACopiedStepNamesImagesRelativeToTheLessonOrTheWorkingFolder) {
    AppState state = showing(folder_ / "pictures" / "photo.png");
    EXPECT_NE(copied_step(state).text.find('"' + (folder_ / "pictures" / "photo.png").string() + '"'),
              std::string::npos)
        << "neither below the lesson nor below the working folder";
    folder_.write("mine.md", "# Mine\n\nSummary.\n\n## Step\n\nText.\n");
    state.lesson.lesson = std::make_shared<const Lesson>(read_lesson(folder_ / "mine.md"));
    const task::CopyText copied = copied_step(state);
    EXPECT_NE(copied.text.find("\"pictures/photo.png\""), std::string::npos) << copied.text;
    EXPECT_TRUE(copied.text.starts_with("```state\n"));
    EXPECT_EQ(copied.what.find('{'), std::string::npos) << "the message has no JSON: " << copied.what;
    EXPECT_NE(copied.what.find(folder_.string()), std::string::npos);
    const std::string below = copied_step(showing(fs::current_path() / "photo.png")).text;
    EXPECT_NE(below.find("\"photo.png\""), std::string::npos) << below;
}

}  // namespace
}  // namespace texelscope::test
