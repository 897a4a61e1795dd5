// Lessons as text, and the pieces of source that they show.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/files/bytes/embedded_files.h"
#include "app/viewer/lessons/lesson.h"
#include "tests/support/kernels.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Lessons as they are written, and the messages if one is not written well.

Lesson parsed(const std::string& text) { return parse_lesson(text, "x.md", "/folder"); }

std::string words(const std::vector<TextBlock>& blocks) { return plain_text(blocks); }

// The text of the error; empty if there is none.
std::string error_of(const std::string& text) {
    return refusal([&] { parsed(text); });
}

const std::string head = "# T\n\nSummary.\n\n## S\n\nText.\n\n";  // the next line is the ninth

TEST(Lesson, PartsAreWhereTheyBelong) {
    const Lesson lesson = parsed(
        "# The title\n\nA summary\nin two lines.\n\n## First step\nText at once.\n\n- one\n  goes on\n- two\n\n> a "
        "note\n> of two "
        "lines\n\n```state\n{\"image\": \"@step:8\"}\n```\n\n? Why?\n\n! Because\nof this.\n\n## Second "
        "step\r\n\r\nMore.\r\n");
    EXPECT_EQ(lesson.name, "x");
    EXPECT_EQ(lesson.title, "The title");
    EXPECT_EQ(words(lesson.summary), "A summary in two lines.");
    ASSERT_EQ(lesson.steps.size(), 2u);
    const LessonStep& step = lesson.steps[0];
    EXPECT_EQ(step.title, "First step");
    EXPECT_EQ(step.line, 6);
    ASSERT_EQ(step.text.size(), 4u);
    using Kind = TextBlock::Kind;
    const Kind kinds[] = {Kind::paragraph, Kind::item, Kind::item, Kind::note};
    const char* texts[] = {"Text at once.", "one goes on", "two", "a note of two lines"};
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(step.text[i].kind, kinds[i]) << i;
        EXPECT_EQ(words({step.text[i]}), texts[i]);
    }
    EXPECT_EQ(words(step.question), "Why?");
    EXPECT_EQ(words(step.answer), "Because of this.");
    ASSERT_TRUE(step.state);
    EXPECT_EQ(step.state->scene.documents.at(0).source, "@step:8");
    EXPECT_EQ(lesson.steps[1].title, "Second step");
    EXPECT_EQ(words(lesson.steps[1].text), "More.");
    EXPECT_FALSE(lesson.steps[1].state);
}

TEST(Lesson, ItsHeadSaysWhatItIsFor) {
    const Lesson lesson = parsed(
        "# T\n\nGoal: Read a plot.\nMinutes: 15\nPart: Waves\nAfter: one, two\nSource: Keys *1981*.\n\nSummary.\n\n## S\n\n"
        "Goal: no head here.\n");
    EXPECT_EQ(lesson.goal, "Read a plot.");
    EXPECT_EQ(lesson.minutes, 15);
    EXPECT_EQ(lesson.part, "Waves");
    EXPECT_EQ(lesson.after, (std::vector<std::string>{"one", "two"}));
    ASSERT_EQ(lesson.sources.size(), 1u);
    EXPECT_EQ(lesson.sources[0][1].text, "1981");
    EXPECT_EQ(words(lesson.summary), "Summary.");
    EXPECT_EQ(words(lesson.steps[0].text), "Goal: no head here.");
}

TEST(Lesson, SlidersRepliesAndLiveWords) {
    const Lesson lesson =
        parsed(head +
               "With a = {a}: {psnr B}, a brace \\{x}.\n\n```sliders\na = -0.5 from -1 to 0\n"
               "n = 0.25 from 0 to 1 by 0.25, kept\n```\n\n```state\n{\"image\": \"@step:8\",\n"
               "\"panes\": [{\"spec\": \"bc:b=0,c={n}\"}]}\n```\n\n? Which?\n\n- [ ] this | see *above*\n"
               "  and below\n- [x] that\n\n! That.\n\n```state\n{\"image\": \"@ramp:8\"}\n```\n\n"
               "## Next\n\nText.\n\n? How many?\n\n= 7.4 ± 0.1 %\n= 14.8 | Twice.\n\n! 7.4 %.\n");
    const LessonStep& step = lesson.steps[0];
    ASSERT_EQ(step.sliders.size(), 2u);
    EXPECT_EQ(step.sliders[0].name, "a");
    EXPECT_EQ(step.sliders[0].first, -0.5);
    EXPECT_EQ(step.sliders[0].low, -1);
    EXPECT_EQ(step.sliders[1].step, 0.25);
    EXPECT_TRUE(step.sliders[1].kept);
    const auto& spans = step.text[1].spans;
    EXPECT_EQ(spans[1].style, TextSpan::Style::live);
    EXPECT_EQ(spans[1].text, "a");
    EXPECT_EQ(spans[3].text, "psnr B");
    EXPECT_EQ(spans[4].text, ", a brace {x}.");
    EXPECT_NE(to_string(step.state->scene.panes[0].spec).find("c=0.25"), std::string::npos);
    EXPECT_EQ(step.answer_state->scene.documents.at(0).source, "@ramp:8");
    ASSERT_EQ(step.replies.size(), 2u);
    EXPECT_FALSE(step.replies[0].right);
    EXPECT_EQ(step.replies[0].hint[1].text, "above");
    EXPECT_EQ(step.replies[0].hint[2].text, " and below");
    EXPECT_TRUE(step.replies[1].right);
    const LessonStep& next = lesson.steps[1];
    EXPECT_TRUE(next.typed);
    ASSERT_EQ(next.replies.size(), 2u);
    EXPECT_EQ(next.replies[0].value, 7.4);
    EXPECT_EQ(next.replies[0].tolerance, 0.1);
    EXPECT_EQ(next.replies[0].unit, "%");
    EXPECT_EQ(next.replies[1].tolerance, 0.1);
}

TEST(Lesson, EmphasisAndCode) {
    const auto spans = parsed(head + "a **bold *b* word** and *it*, `c*d` 2 * 3, p*q, \\*x").steps[0].text[1].spans;
    using Style = TextSpan::Style;
    const std::pair<Style, const char*> expected[] = {
        {Style::plain, "a "}, {Style::bold, "bold *b* word"}, {Style::plain, " and "},          {Style::italic, "it"},
        {Style::plain, ", "}, {Style::code, "c*d"},           {Style::plain, " 2 * 3, p*q, *x"}};
    ASSERT_EQ(spans.size(), std::size(expected));
    for (size_t i = 0; i < spans.size(); ++i) {
        EXPECT_EQ(spans[i].style, expected[i].first) << i;
        EXPECT_EQ(spans[i].text, expected[i].second);
    }
}

// Each with its line, and with a word about the error.
TEST(Lesson, WhatIsWrongIsToldWithItsLine) {
    const struct {
        std::string text;
        int line;
        const char* word;
    } wrong[] = {
        {"", 1, "no title"},
        {"Text.\n# T\n", 1, "before the title"},
        {"## S\n\nText.\n", 1, "before the title"},
        {"# T\n\nOnly a summary.\n", 3, "no step"},
        {head + "# Again\n", 9, "already has a title"},
        {head + "### Deeper\n", 9, "not a lesson heading"},
        {head + "##\n", 9, "not a lesson heading"},
        {head + "#hash\n", 9, "not a lesson heading"},
        {head + "## Empty\n\n## Next\n\nText.\n", 9, "no text"},
        {head + "```python\nx\n```\n", 9, "```state, ```sliders or ```source"},
        {head + "```state\n{}\n", 9, "not closed"},
        {"# T\n\n```state\n{}\n```\n", 3, "inside a step"},
        {head + "```state\n{}\n```\n\n```state\n{}\n```\n", 13, "already has a state"},
        {head + "```state\n{\"image\": \"@step:8\",\n \"panes\": [}\n```\n", 11, "not JSON"},
        {head + "```state\n{\"image\": \"@step:8\",\n \"panels\": 1}\n```\n", 11, "no such key"},
        {head + "```state\n{\"panes\": [{\"spec\": \"nearest\"},\n{\"sepc\": \"bilinear\"}]}\n```\n", 10,
         "\"spec\" is missing"},
        {head + "```state\n{\n\"panes\": [{\"spec\": \"bicubix\"}]}\n```\n", 11, "unknown method"},
        {head + "```state\n{\n\n\"image\": \"@nothing:8\"}\n```\n", 12, "no such test image"},
        {head +
             "```state\n{\"image\": \"@step:8\",\n\"panes\": [{\"spec\": \"nearest\", \"image\": \"@step:9\"}]}\n```\n",
         11, "not among"},
        {head + "```state\n{\"interface\": {\"plot\": \"pie\"}}\n```\n", 10, "must be one of"},
        {head + "```source\ngpu/methods/bilinear.cpp\n```\n", 10, "a file and a name"},
        {head + "```source\n\ngpu/methods/bilinaer.cpp: weights\n```\n", 11, "no source file"},
        {head + "```source\ngpu/methods/bilinear.cpp: wights\n```\n", 10, "wights"},
        {head + "```source\ngpu/methods/bilinear.cpp: wights\n```\n", 10, "weights"},
        {head + "```source\ngpu/methods/bilinaer.cpp: weights\n```\n", 10, "bilinear.cpp"},
        {head + "```source\nmethods/bilinear.cpp: weights\n```\n", 10, "gpu/methods/"},
        {head + "```source\n\n```\n", 9, "does not name a source"},
        {head + "? One?\n\n! Yes.\n\n? Two?\n", 13, "already has a question"},
        {head + "! Nothing was asked.\n", 9, "no question"},
        {head + "? Asked?\n", 5, "no answer"},
        {head + "- [x] Yes\n", 9, "no question"},
        {head + "? Q?\n\n! A.\n\n- [x] Late\n", 13, "no question"},
        {head + "? Q?\n\n- [ ] a | no\n- [ ] b | no\n\n! A.\n", 5, "one must be right"},
        {head + "? Q?\n\n- [x] a\n- [x] b\n\n! A.\n", 5, "one must be right"},
        {head + "? Q?\n\n- [x] a | why\n\n! A.\n", 11, "needs no hint"},
        {head + "? Q?\n\n- [x] a\n\n= 3\n\n! A.\n", 13, "either choices"},
        {head + "? Q?\n\n= three\n\n! A.\n", 11, "no number"},
        {head + "? Q?\n\n= 3 ± few\n\n! A.\n", 11, "no number"},
        {head + "? Q?\n\n= 3\n= 4\n\n! A.\n", 12, "needs a hint"},
        {head + "The value {b}.\n", 5, "{b} is neither"},
        {head + "```sliders\na = 1 from 0 to 2\n```\n", 5, "need a state"},
        {head + "```state\n{}\n```\n\n```sliders\na = 3 from 0 to 2\n```\n", 14, "no slider"},
        {head + "```state\n{}\n```\n\n```sliders\npsnr = 1 from 0 to 2\n```\n", 14, "has a meaning"},
        {head + "```state\n{}\n```\n\n```sliders\n\n```\n", 13, "has no slider"},
        {head + "```state\n{\"panes\":\n[{\"spec\": \"bc:b={b},c=0\"}]}\n```\n\n```sliders\nb = 0 from 0 to 1e9\n```\n",
         11, "b"},
        {"# T\n\nMinutes: many\n\n## S\n\nText.\n", 3, "minutes"},
        {"# T\n\nGoal:\n\n## S\n\nText.\n", 3, "nothing follows"},
        {"# T\n\n? Asked?\n", 3, "inside a step"},
        {head + "This is **bold\nfor ever.\n", 9, "not closed"},
        {head + "Code `without end\n", 9, "not closed"},
        {head + "Not\xff UTF-8\n", 9, "UTF-8"},
    };
    for (const auto& [text, line, word] : wrong) {
        const std::string error = error_of(text);
        EXPECT_TRUE(error.starts_with("x.md:" + std::to_string(line) + ": ")) << error << "\n" << text;
        EXPECT_NE(error.find(word), std::string::npos) << error << "\n" << text;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
}

TEST(Lesson, ImagesAreRelativeToItsFolder) {
    const std::filesystem::path folder = std::filesystem::path(TEXELSCOPE_SOURCE_DIR) / "tests/viewer";
    const Lesson lesson =
        parse_lesson(head + "```state\n{\"image\": \"lessons/test_lesson_parser.cpp\"}\n```\n", "x.md", folder);
    EXPECT_EQ(lesson.steps[0].state->scene.documents.at(0).source, folder / "lessons/test_lesson_parser.cpp");
}

// As images are, and wherever in the spec the file is named.
TEST(Lesson, MethodsOfFilesAreRelativeToItsFolder) {
    const Folder outer;
    const std::filesystem::path folder = outer / "lesson, with methods";
    std::filesystem::create_directories(folder / "own");
    std::ofstream(folder / "own/keys.weights")
        << "name = Keys\nradius = 2\nparameter a = -0.5 from -1 to 0\n"
           "w(x) = abs(x) < 1 ? (a+2)*abs(x)^3 - (a+3)*x^2 + 1 : a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)\n";
    std::ofstream(folder / "half.cu") << bilinear_kernel;
    const auto lesson = [&](const std::string& panes) {
        return parse_lesson(head + "```state\n{\"panes\": [" + panes + "]}\n```\n", "x.md", folder);
    };
    const Lesson both = lesson(
        "{\"spec\": \"custom:path=global,file=own/keys.weights,a=-1\"},\n{\"spec\": \"kernel:file=half.cu\"},\n"
        "{\"spec\": \"bilinear\", \"label\": \"a \\\"file=x\\\"\"}");
    const auto& panes = both.steps[0].state->scene.panes;
    ASSERT_EQ(panes.size(), 3u);
    EXPECT_EQ(panes[0].spec.method->name, "Keys");
    EXPECT_EQ(panes[0].spec.path, FetchPath::global);
    EXPECT_EQ(panes[0].spec.parameters.value[0], -1);
    EXPECT_EQ(panes[1].spec.method->name, "My bilinear");
    EXPECT_EQ(panes[2].label, "a \"file=x\"");
    const auto lines = std::count(head.begin(), head.end(), '\n');
    try {
        lesson("{\"spec\": \"bilinear\"},\n{\"spec\": \"custom:file=keys.weights\"}");
        ADD_FAILURE() << "there is no such file";
    } catch (const Error& error) {
        const std::string why = error.what();
        EXPECT_TRUE(why.starts_with("x.md:" + std::to_string(lines + 3) + ": ")) << why;
        EXPECT_NE(why.find((folder / "keys.weights").string() + ": no such file"), std::string::npos) << why;
    }
    std::filesystem::remove_all(folder);
}

TEST(Lesson, MissingImagesAreSaidWithTheirLine) {
    const auto lines = std::count(head.begin(), head.end(), '\n');
    const std::string error =
        error_of(head + "```state\n{\"arrangement\": \"rows\",\n \"image\": \"sub/a.png\"}\n```\n");
    EXPECT_TRUE(error.starts_with("x.md:" + std::to_string(lines + 3) + ": ")) << error;
    EXPECT_NE(error.find("/folder/sub/a.png"), std::string::npos) << error;
}

TEST(Lesson, AByteOrderMarkIsNoText) {
    const Lesson plain = parsed(head), marked = parsed("\xEF\xBB\xBF" + head);
    EXPECT_EQ(marked.title, plain.title);
    EXPECT_EQ(marked.steps.size(), plain.steps.size());
    EXPECT_EQ(marked.steps.at(0).line, plain.steps.at(0).line);
}

TEST(Lesson, NamesHaveNoNumber) {
    EXPECT_EQ(lesson_name("03-half-texel.md"), "half-texel");
    EXPECT_EQ(lesson_name("half-texel"), "half-texel");
    EXPECT_EQ(lesson_name("36-rotations.md"), "rotations");
    EXPECT_EQ(lesson_name("2d.md"), "2d");
}

TEST(Lesson, TheDocumentedExampleIsOne) {
    std::ifstream file(TEXELSCOPE_SOURCE_DIR "/docs/lessons.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}}, begin = "````markdown\n";
    const size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos);
    const Lesson lesson =
        parsed(page.substr(at + begin.size(), page.find("````\n", at + begin.size()) - at - begin.size()));
    EXPECT_EQ(lesson.title, "Nearest and linear");
    ASSERT_EQ(lesson.steps.size(), 3u);
    EXPECT_EQ(lesson.steps[1].state->scene.arrangement, Arrangement::columns);
    EXPECT_FALSE(lesson.steps[1].answer.empty());
    EXPECT_EQ(lesson.steps[2].sources.size(), 1u);
}

TEST(Lesson, TheDocumentedLessonWithASliderAndTheStageIsShort) {
    std::ifstream file(TEXELSCOPE_SOURCE_DIR "/docs/lessons.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}}, begin = "````markdown\n# How often";
    const size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos);
    const std::string text = page.substr(at + 12, page.find("````\n", at + 12) - at - 12);
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40);
    const Lesson lesson = parsed(text);
    const LessonStep& step = lesson.steps.at(0);
    EXPECT_EQ(step.sliders.at(0).name, "rate");
    EXPECT_TRUE(step.typed);
    EXPECT_EQ(step.state->appearance.dock, Dock::stage);
    EXPECT_EQ(step.state->scene.documents.at(0).source, "@signal:0..4@12:cos(2*pi*3*x)");
    const double slower[] = {4.5};
    EXPECT_EQ(session_of_state(lesson, step, step.state, slower).scene.documents.at(0).source,
              "@signal:0..4@4.5:cos(2*pi*3*x)");
}

// The author's copy is read as what was shown.
TEST(LessonStep, CopiedStatesAreReadAgain) {
    const std::string text =
        R"({"image": "@zone-plate:64", "region": {"x0": 1, "y0": 2, "x1": 30, "y1": 20},
            "panes": [{"spec": "bilinear:path=hardware"}, {"spec": "catmull-rom", "label": "B"}], "arrangement": "wipe",
            "wipe": {"at": 0.25}, "interface": {"plot": "curves", "zoom": {"weight": {"from": -2, "to": 2}}, "pixel_grid": false}})";
    const Session session = step_from_json(text, {});
    const std::string copied = step_to_json(session);
    EXPECT_EQ(step_to_json(step_from_json(copied, {})), copied);
    EXPECT_EQ(session_to_json(step_from_json(copied, {}), {}), session_to_json(session, {}));
    for (const char* standard : {"texelscope", "antialias", "minimap", "outside", "current", "display", "keep_fit"})
        EXPECT_EQ(copied.find(standard), std::string::npos) << standard << " in " << copied;
}

TEST(LessonStep, AnEmptyStateIsTheStandard) {
    const Session session = step_from_json("{}", {});
    ASSERT_EQ(session.scene.panes.size(), 1u);
    EXPECT_EQ(session.scene.panes[0].spec.method->id, "bspline");
    EXPECT_TRUE(session.scene.documents.empty());
    EXPECT_EQ(session.scene.current, -1);
}

// Pieces of source by name: regions between marks, and definitions as a reader would cut them out.

const char* const source = R"(#include <a>

int twice(int);  // a declaration

int user(int x) { return twice(x) + twice(2 * x); }

// What it does.
// In two lines.
template <int n>
int twice(int x) {
    const char brace = '{';  // } not this one
    const char* text = "} nor {";
    if (x > 1'000'000) { return n; }
    return x;
}

struct Box {
    int side;
    // [lesson: area]
    int area() const noexcept { return side * side; }
    // [lesson end]
    Box(int s) : side{s} { (void)s; }
};
int after = 0;
)";

std::string joined(const std::optional<SourcePiece>& piece) {
    std::string text;
    if (piece)
        for (const std::string& line : piece->lines) text += line + "\n";
    return text;
}

TEST(SourcePiece, AFunctionWithItsCommentAndItsTemplateLine) {
    const auto piece = piece_of(source, "twice");
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->first_line, 7);
    ASSERT_EQ(piece->lines.size(), 9u);
    EXPECT_EQ(piece->lines.front(), "// What it does.");
    EXPECT_EQ(piece->lines.back(), "}");
}

TEST(SourcePiece, AFunctionOnOneLineATypeAndAMarkedRegion) {
    EXPECT_EQ(joined(piece_of(source, "user")), "int user(int x) { return twice(x) + twice(2 * x); }\n");
    const auto box = piece_of(source, "Box");
    ASSERT_TRUE(box);
    EXPECT_EQ(box->lines.front(), "struct Box {");
    EXPECT_EQ(box->lines.back(), "};");
    const auto region = piece_of(source, "area");
    EXPECT_EQ(joined(region), "int area() const noexcept { return side * side; }\n");
    EXPECT_EQ(region->first_line, 20);
}

TEST(SourcePiece, NothingForWhatIsNotDefined) {
    for (const char* name : {"wice", "x", "after", "brace", "", "lesson"}) EXPECT_FALSE(piece_of(source, name)) << name;
}

TEST(SourcePiece, IsWhatTheFileHas) {
    const SourcePiece piece = find_source_piece("gpu/methods/bilinear.cpp: weights");
    EXPECT_EQ(piece.file, "gpu/methods/bilinear.cpp");
    std::ifstream file(TEXELSCOPE_SOURCE_DIR "/gpu/methods/bilinear.cpp");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    for (size_t i = 0; i < piece.lines.size(); ++i) {
        const std::string& line = lines.at(size_t(piece.first_line) - 1 + i);
        EXPECT_EQ(line.substr(std::min(line.size(), line.size() - piece.lines[i].size())), piece.lines[i]);
    }
    EXPECT_NE(joined(piece).find("w[1] = t"), std::string::npos);
}

TEST(SourcePiece, EmbeddedSourcesAreTheFilesOfTheProject) {
    EXPECT_GT(embedded_sources().size(), 100u);
    for (const EmbeddedFile& embedded : embedded_sources()) {
        std::ifstream file(std::string(TEXELSCOPE_SOURCE_DIR "/") + std::string(embedded.name));
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        EXPECT_EQ(text, embedded.text) << embedded.name;
    }
}

}  // namespace
}  // namespace texelscope::test
