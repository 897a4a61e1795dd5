// texelscope lesson: handouts and slides.

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class LessonPages : public Program {
protected:
    std::string page(const std::string& name) const {
        std::ifstream file(path(name));
        return {std::istreambuf_iterator<char>(file), {}};
    }

    void write_lesson() const {
        write("mine.md",
              "# Mine & yours\n\nA summary.\n\nGoal: Know <it>.\nMinutes: 5\nSource: Keys 1981.\n\n"
              "## First\n\nText **bold** of {a}.\n\n```sliders\na = 3 from 1 to 5\n```\n\n"
              "```state\n{\"image\": \"@samples:0,1,{a}\", \"panes\": [{\"spec\": \"bspline\"}], "
              "\"interface\": {\"plot\": \"stage\"}}\n```\n\n? How much?\n\n= 42 ± 1 %\n= 7 | no\n\n"
              "! It is forty-two.\n\n## Second\n\n- one\n- two\n\n? Which?\n\n- [ ] this | no\n"
              "- [x] that\n\n! That one.\n");
    }
};

TEST_F(LessonPages, AHandoutHasPicturesPlotsQuestionsAndAnswersOnAPageOfTheirOwn) {
    write_lesson();
    ASSERT_EQ(run({"lesson", path("mine.md"), "--handout", path("out.html")}).status, 0);
    const std::string html = page("out.html");
    EXPECT_THAT(html, HasSubstr("<h1>Mine &amp; yours</h1>"));
    EXPECT_THAT(html, HasSubstr("Know &lt;it&gt;."));
    EXPECT_THAT(html, HasSubstr("Text <b>bold</b> of <b>3</b>."));  // the slider's first value
    EXPECT_THAT(html, HasSubstr("src=\"data:image/png;base64,"));
    EXPECT_THAT(html, HasSubstr("<ul><li>one</li>"));
    EXPECT_THAT(html, HasSubstr("Keys 1981."));
    size_t plots = 0;
    for (size_t at = html.find("<svg"); at != html.npos; at = html.find("<svg", at + 1)) ++plots;
    EXPECT_EQ(plots, 3u);  // of the stage
    const size_t answers = html.find("class=\"answers\"");
    ASSERT_NE(answers, html.npos);
    const std::string before = html.substr(0, answers), after = html.substr(answers);
    EXPECT_THAT(before, HasSubstr("How much?"));
    EXPECT_THAT(before, Not(HasSubstr("forty-two")));
    EXPECT_THAT(after, HasSubstr("<b>42 %</b>"));
    EXPECT_THAT(after, HasSubstr("<b>that</b>"));
    for (const char* outside : {"http://", "https://", "<script", "<link"})  // clip paths and name spaces apart
        EXPECT_THAT(html.substr(0, html.find("<svg")), Not(HasSubstr(outside)));
}

TEST_F(LessonPages, SlidesRepeatEachQuestionWithItsAnswer) {
    write_lesson();
    ASSERT_EQ(run({"lesson", path("mine.md"), "--slides", path("slides.html")}).status, 0);
    const std::string html = page("slides.html");
    size_t slides = 0, questions = 0;
    for (size_t at = html.find("<section"); at != html.npos; at = html.find("<section", at + 1)) ++slides;
    for (size_t at = html.find("How much?"); at != html.npos; at = html.find("How much?", at + 1)) ++questions;
    EXPECT_EQ(slides, 7u);  // the title; each step, its question, and that with the answer
    EXPECT_EQ(questions, 2u);
}

TEST_F(LessonPages, WhatIsMissingIsSaid) {
    write_lesson();
    expect_error(2, {"lesson", path("mine.md")}, {"--handout"});
    expect_error(2, {"lesson", "no-such-lesson", "--handout", path("out.html")}, {"no-such-lesson"});
}

}  // namespace
}  // namespace texelscope::test
