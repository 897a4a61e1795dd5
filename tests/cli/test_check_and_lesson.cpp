// The commands for teaching. check: right results and usual mistakes, computed here in float64 without the engine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "app/files/bytes/embedded_files.h"
#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

using ValueAt = std::function<double(int x, int y)>;

class CheckCommand : public Program {
protected:
    static constexpr int side = 12, larger = 30;

    void SetUp() override {
        Program::SetUp();
        Random random(7);
        for (double& value : samples_) value = random.between(0.05, 0.95);
        write_array("in.npy", side, [this](int x, int y) { return samples_[size_t(y * side + x)]; });
    }

    void write_array(const std::string& name, int size, const ValueAt& value) const {
        std::vector<float> values;
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) values.push_back(float(value(x, y)));
        const std::string shape = "(" + std::to_string(size) + ", " + std::to_string(size) + ")";
        write(name, npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }",
                        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)}));
    }

    double sample(int x, int y) const {
        return samples_[size_t(std::clamp(y, 0, side - 1) * side + std::clamp(x, 0, side - 1))];
    }

    // Bilinear enlargement, its positions with the half or without it.
    double bilinear(int i, int j, double half = 0.5, double shift = 0) const {
        const double factor = double(larger) / side, x = (i + half) / factor - half + shift,
                     y = (j + half) / factor - half + shift;
        const double s = x - std::floor(x), t = y - std::floor(y);
        const int m = int(std::floor(x)), n = int(std::floor(y));
        return (1 - t) * ((1 - s) * sample(m, n) + s * sample(m + 1, n)) +
               t * ((1 - s) * sample(m, n + 1) + s * sample(m + 1, n + 1));
    }

    Result check(const ValueAt& value, const std::string& more = ",method=bilinear:address=clamp") const {
        write_array("mine.npy", larger, value);
        return run({"check", path("mine.npy"), "--is", "resize:" + path("in.npy") + more});
    }

    std::vector<double> samples_ = std::vector<double>(size_t(side) * side);
};

TEST_F(CheckCommand, TakesARightResult) {
    const Result result = check([this](int i, int j) { return bilinear(i, j); });
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("right"), std::string::npos) << result.output;
}

TEST_F(CheckCommand, NamesTheUsualMistakes) {
    const struct {
        const char* words;
        ValueAt value;
    } mistakes[] = {
        {"positions lack the half", [this](int i, int j) { return bilinear(i, j, 0); }},
        {"half a sample too large", [this](int i, int j) { return bilinear(i, j, 0.5, 0.5); }},
        {"half a sample too small", [this](int i, int j) { return bilinear(i, j, 0.5, -0.5); }},
        {"the axes are swapped", [this](int i, int j) { return bilinear(j, i); }},
        {"it is upside down", [this](int i, int j) { return bilinear(i, larger - 1 - j); }},
        {"left and right are exchanged", [this](int i, int j) { return bilinear(larger - 1 - i, j); }},
        {"levels from 0 to 255", [this](int i, int j) { return 255 * bilinear(i, j); }},
        {"it is interpolated by Nearest",
         [this](int i, int j) { return sample(int((i + 0.5) * side / larger), int((j + 0.5) * side / larger)); }},
        {"none of the usual", [this](int i, int j) { return 1 - bilinear(i, j); }},
    };
    for (const auto& mistake : mistakes) {
        const Result result = check(mistake.value);
        EXPECT_EQ(result.status, 1) << mistake.words;
        EXPECT_NE(result.output.find(mistake.words), std::string::npos) << mistake.words << ": " << result.output;
    }
}

// Catmull–Rom, whose taps reach beyond the edges: these are extended in another way than was asked for, or left out, and the
// other weights divided by their sum.
TEST_F(CheckCommand, NamesWhatWasDoneAtTheEdges) {
    enum class Edges { clamp, border, wrap, mirror, reflect101, normalised };
    const auto index = [](Edges edges, int k) {
        switch (edges) {
            case Edges::wrap: return (k + side) % side;
            case Edges::mirror: return k < 0 ? -1 - k : k >= side ? 2 * side - 1 - k : k;
            case Edges::reflect101: return k < 0 ? -k : k >= side ? 2 * side - 2 - k : k;
            default: return std::clamp(k, 0, side - 1);
        }
    };
    const auto weight = [](double x) {
        x = std::abs(x);
        return x < 1 ? 1 + x * x * (1.5 * x - 2.5) : x < 2 ? 2 + x * (-4 + x * (2.5 - 0.5 * x)) : 0.0;
    };
    const auto enlarged = [&](Edges edges, int i, int j) {
        const bool leaves_out = edges == Edges::border || edges == Edges::normalised;
        const double factor = double(larger) / side, x = (i + 0.5) / factor - 0.5, y = (j + 0.5) / factor - 0.5;
        double sum = 0, weights = 0;
        for (int n = int(std::floor(y)) - 1; n <= int(std::floor(y)) + 2; ++n)
            for (int m = int(std::floor(x)) - 1; m <= int(std::floor(x)) + 2; ++m) {
                if (leaves_out && (m < 0 || m >= side || n < 0 || n >= side)) continue;
                const double w = weight(x - m) * weight(y - n);
                weights += w;
                sum += w * sample(index(edges, m), index(edges, n));
            }
        return edges == Edges::normalised ? sum / weights : sum;
    };
    const struct {
        const char* words;
        Edges edges;
    } mistakes[] = {{"beyond the edges it reads by clamp", Edges::clamp},
                    {"beyond the edges it reads by border", Edges::border},
                    {"beyond the edges it reads by wrap", Edges::wrap},
                    {"beyond the edges it reads by mirror", Edges::mirror},
                    {"beyond the edges it reads by reflect101", Edges::reflect101},
                    {"normalised to a sum of 1", Edges::normalised}};
    // A method says how the image goes on; Pillow's bicubic with a = −1/2 leaves taps out.
    for (const char* is : {",method=catmull-rom:address=clamp", ",method=catmull-rom:address=reflect101",
                           ",like=texelscope/resize:method=catmull-rom,edges=mirror", ",like=pillow/bicubic"}) {
        int right = 0;
        for (const auto& mistake : mistakes) {
            const Result result = check([&](int i, int j) { return enlarged(mistake.edges, i, j); }, is);
            right += result.status == 0;
            if (result.status != 0) {
                EXPECT_NE(result.output.find(mistake.words), std::string::npos) << is << ": " << result.output;
            }
        }
        EXPECT_EQ(right, 1) << is;
    }
}

TEST_F(CheckCommand, FindsValuesThatAreCutOffAndMarksThemInRed) {
    std::vector<unsigned char> cut, rounded;
    for (int j = 0; j < larger; ++j)
        for (int i = 0; i < larger; ++i) {
            cut.push_back((unsigned char)(std::floor(255 * bilinear(i, j))));
            rounded.push_back((unsigned char)(std::lround(255 * bilinear(i, j))));
        }
    const auto pgm = [&](const std::string& name, const std::vector<unsigned char>& values) {
        return write(name, "P5\n30 30\n255\n" + std::string(values.begin(), values.end()));
    };
    const std::string is = "resize:" + path("in.npy") + ",method=bilinear:address=clamp";
    EXPECT_EQ(run({"check", pgm("right.pgm", rounded), "--is", is, "--tolerance", "0.5"}).status, 0);
    const Result result =
        run({"check", pgm("cut.pgm", cut), "--is", is, "--tolerance", "0.5", "--map", path("map.png")});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("cut off"), std::string::npos) << result.output;
    const Image map = read_image(path("map.png"));
    for (int k = 0; k < larger * larger; ++k) {
        const bool red = map.value(k % larger, k / larger, 0) > 2 * map.value(k % larger, k / larger, 1);
        EXPECT_EQ(red, cut[size_t(k)] != rounded[size_t(k)]) << k;
    }
}

TEST_F(CheckCommand, SaysWhatItDoesNotUnderstand) {
    write_array("mine.npy", larger, [](int, int) { return 0.5; });
    const std::string in = path("in.npy"), mine = path("mine.npy");
    expect_error(2, {"check", mine, "--is", "rotate:" + in}, {"resize:"});
    expect_error(2, {"check", mine, "--is", "resize:"}, {"no picture"});
    expect_error(2, {"check", mine, "--is", "resize:" + in + ",antialias"}, {"no value"});
    expect_error(2, {"check", mine, "--is", "resize:" + in + ",colour=red"}, {"colour=red"});
    expect_error(2, {"check", mine, "--is", "resize:" + in + ",method=bicubix"}, {"bicubix"});
    expect_error(1, {"check", path("missing.npy"), "--is", "resize:" + in}, {"missing.npy"});
}

// lesson: handouts and slides.

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

TEST_F(LessonPages, ResultsAreAPageToHandIn) {
    const char* const before = std::getenv("XDG_CONFIG_HOME");
    const std::string home = before ? before : "";
    ::setenv("XDG_CONFIG_HOME", path("config").c_str(), 1);
    expect_error(1, {"lesson", "--results", path("none.html")}, {"answered"});
    std::filesystem::create_directories(path("config/texelscope"));
    write("config/texelscope/settings.json", "{\"answered\": {\"half-texel#3\": 2, \"half-texel#6\": -1}}");
    EXPECT_EQ(run({"lesson", "--results", path("results.html")}).status, 0);
    if (before) ::setenv("XDG_CONFIG_HOME", home.c_str(), 1);
    else ::unsetenv("XDG_CONFIG_HOME");
    const std::string html = page("results.html");
    EXPECT_THAT(html, HasSubstr("<th>question</th>"));
    EXPECT_THAT(html, HasSubstr("<td>The half-texel shift</td><td>3</td><td>What is left of a checkerboard"));
    EXPECT_THAT(html, HasSubstr("<td>2</td></tr>"));
    EXPECT_THAT(html, HasSubstr("<td>not yet, after 1</td></tr>"));
}

TEST_F(LessonPages, ATableAndMarkedSourceArePrinted) {
    write(
        "t.md",
        "# T\n\n## S\n\n| a | b<c |\n| --- | --- |\n| 1 | *two* |\n\n```source\ngpu/methods/bilinear.cpp: weights\n> w[1] =\n```\n");
    ASSERT_EQ(run({"lesson", path("t.md"), "--handout", path("out.html")}).status, 0);
    const std::string html = page("out.html");
    EXPECT_THAT(
        html,
        HasSubstr(
            "<tr><th><b>a</b></th><th><b>b&lt;c</b></th></tr>\n<tr><td>1</td><td><i>two</i></td></tr>\n</table>"));
    const size_t mark = html.find("<mark>");
    ASSERT_NE(mark, html.npos);
    EXPECT_THAT(html.substr(mark, html.find("</mark>") - mark), HasSubstr("w[1] = t"));
    EXPECT_EQ(html.find("<mark>", mark + 1), html.npos);
}

TEST_F(LessonPages, PanesMayShowOtherImages) {
    write("two.md",
          "# T\n\n## S\n\nWords.\n\n```state\n"
          "{\"images\": [{\"source\": \"@step:64\"}, {\"source\": \"@zone-plate:64\"}],\n"
          "\"panes\": [{\"spec\": \"bspline\"}, {\"spec\": \"bilinear\", \"image\": \"@zone-plate:64\"}]}\n```\n");
    const Result result = run({"lesson", path("two.md"), "--handout", path("out.html")});
    EXPECT_EQ(result.status, 0) << (result.errors.empty() ? "" : result.errors[0]);
    EXPECT_THAT(page("out.html"), HasSubstr("src=\"data:image/png;base64,"));
}

using SlowLessonPages = LessonPages;

TEST_F(SlowLessonPages, EveryBuiltInLessonIsAHandout) {
    for (const EmbeddedFile& file : embedded_lessons()) {
        const std::string name(file.name.substr(3, file.name.size() - 6));  // 03-half-texel.md
        const Result result = run({"lesson", name, "--handout", path("out.html")});
        EXPECT_EQ(result.status, 0) << name << ": " << (result.errors.empty() ? "" : result.errors[0]);
        EXPECT_THAT(page("out.html"), HasSubstr("src=\"data:image/png;base64,")) << name;
    }
}

TEST_F(LessonPages, WhatIsMissingIsSaid) {
    write_lesson();
    expect_error(2, {"lesson", "--handout", path("out.html")}, {"which lesson"});
    expect_error(2, {"lesson", path("mine.md")}, {"--handout"});
    expect_error(2, {"lesson", "no-such-lesson", "--handout", path("out.html")}, {"no-such-lesson"});
}

}  // namespace
}  // namespace texelscope::test
