// Arbitrary bytes for the reader of lessons: each must parse, or throw an Error with its line. And arbitrary source,
// for the search for a definition in it.

#include <algorithm>

#include "app/viewer/lessons/lesson.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;

bool lesson(ByteSpan bytes) {
    try {
        const Lesson lesson = parse_lesson(text_of(bytes), "x.md", "/folder");
        if (lesson.title.empty() || lesson.steps.empty()) __builtin_trap();
        for (const LessonStep& step : lesson.steps)
            if (step.text.empty() || step.question.empty() != step.answer.empty()) __builtin_trap();
        return true;
    } catch (const Error& error) {
        const std::string text = error.what();
        if (!text.starts_with("x.md:") || text[5] < '1' || text[5] > '9') __builtin_trap();
        return false;
    }
}

bool source(ByteSpan bytes) {
    const std::string_view text = text_of(bytes);
    const auto piece = piece_of(text, "f");
    if (piece && (piece->lines.empty() || piece->first_line < 1 ||
                  piece->first_line + int(piece->lines.size()) > 2 + std::count(text.begin(), text.end(), '\n')))
        __builtin_trap();
    return piece.has_value();
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) { return lesson(bytes) + source(bytes); }

std::vector<std::string> fuzz::seeds() {
    return {
        "# T\n\nSummary.\n\n## One\n\nText **b** *i* `c`.\n\n- item\n- item\n\n> note\n\n? Q\n\n! A\n\n## "
        "Two\n\nText.\n",
        "# T\n\n## One\n\nText.\n\n```state\n{\"image\": \"@step:8\",\n \"panes\": [{\"spec\": \"nearest\"}]}\n```\n",
        "# T\n\nPart: P\nMinutes: 5\n\n## One\n\nSee [a](half-texel#2), [b](#1), [c](method:mitchell), [d](term:tap).\n\n"
        "```sliders\nr = 12 from 3 to 16\n```\n\n```state\n{\"image\": \"@signal:0..4@{r}:cos(2*pi*3*x)\", \"panes\": "
        "[{\"spec\": \"bilinear:mip=x4\"}], \"interface\": {\"plot\": \"stage\", \"zoom\": {\"stage\": {\"from\": 0, "
        "\"to\": 2}}}}\n```\n\n? Q\n\n= 6 ± 0.1 per unit\n= 3 | no\n\n! A\n",
        "# T\n\n## One\n\nText.\n\n```state\n{\"image\": \"@samples:0,1,-0.5\", \"panes\": [{\"spec\": \"bspline\"}]}\n```\n",
        "# T\n\n## One\n\nText.\n\n```state\n{\"image\": \"@turned:3x10;bilinear;@step:8\", \"warp\": {\"kind\": "
        "\"homography\", \"matrix\": [1, 0, 0, 0, 1, 0, 0, 0.01, 1]}}\n```\n",
        "# T\n\n## One\n\nText.\n\n```source\ngpu/methods/bilinear.cpp: weights\n```\n",
        "// a\ntemplate <int n>\nint f(int x) {\n    if (x) { return '{'; }\n    return 1'000;\n}\n",
        "struct f : g<1> {\n    /* } */ int a[2]{};\n    f(int x) : a{x} {}\n};\n// [lesson: f]\nx\n// [lesson end]\n",
    };
}

FUZZ_TARGET
