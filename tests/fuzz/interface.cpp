// Fuzz targets of the interface: lessons, connections, sessions.

#include <algorithm>
#include <cstring>
#include <span>

#include "app/state/session/session.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/pushing/pushing.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

// Arbitrary bytes for the reader of lessons: each must parse, or throw an Error with its line. And arbitrary source,
// for the search for a definition in it.
namespace lesson {

void check(const LessonStep& step) {
    if (step.text.empty() || step.question.empty() != step.answer.empty()) __builtin_trap();
    const std::span<const TextBlock> text(step.text);
    for (size_t i = 0; i < text.size(); ++i) {
        const TextBlock& cell = text[i];
        if (!cell.is_cell()) continue;
        const size_t cells = cells_of_table(text.subspan(i));  // whole rows, a heading and one more at least
        if (cell.kind != TextBlock::Kind::heading_cell || cell.columns < 1 || cells % size_t(cell.columns) != 0 ||
            cells < 2 * size_t(cell.columns))
            __builtin_trap();
        for (size_t k = 0; k < cells; ++k)
            if (text[i + k].columns != cell.columns || text[i + k].column != int(k % size_t(cell.columns)))
                __builtin_trap();
        i += cells - 1;
    }
    for (const SourcePiece& piece : step.sources)
        for (const size_t line : piece.marked)
            if (line >= piece.lines.size()) __builtin_trap();
}

bool lesson(ByteSpan bytes) {
    try {
        const Lesson lesson = parse_lesson(text_of(bytes), "x.md", "/folder");
        if (lesson.title.empty() || lesson.steps.empty()) __builtin_trap();
        for (const LessonStep& step : lesson.steps) check(step);
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

int accepted(ByteSpan bytes) { return lesson(bytes) + source(bytes); }

std::vector<std::string> seeds() {
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
        "# T\n\n## One\n\nText.\n\n| a | b |\n| --- | --- |\n| `c|d` | e \\| f |\n|  | {p} |\n\n```sliders\np = @step:8, or "
        "yours\n```\n\n```state\n{\"image\": \"{p}\", \"panes\": [{\"spec\": \"nearest\", \"linear_light\": true}]}\n```\n",
        "# T\n\n## One\n\nText.\n\n```source\ngpu/methods/bilinear.cpp: weights\n> w[1]\n```\n",
        "// a\ntemplate <int n>\nint f(int x) {\n    if (x) { return '{'; }\n    return 1'000;\n}\n",
        "struct f : g<1> {\n    /* } */ int a[2]{};\n    f(int x) : a{x} {}\n};\n// [lesson: f]\nx\n// [lesson end]\n",
    };
}

const fuzz::Registered registered({"lesson", accepted, seeds});

}  // namespace lesson

// Arbitrary bytes for a connection by which programs push images: each is put together or refused by Error.
namespace pushing {

constexpr size_t most_bytes = 1 << 20;  // of an image; larger ones only take time

// In pieces of this size; how many messages were complete.
int messages_in(ByteSpan bytes, size_t piece) {
    int complete = 0;
    PushConnection connection({[](const PushedImage& image) {
                                   if (bytes_of(image) > most_bytes) throw Error("too large for this");
                               },
                               [&](const PushedThing& thing) {
                                   const auto* frame = std::get_if<PushedFrame>(&thing);
                                   if (frame && (frame->name.empty() || !frame->image || frame->image->empty()))
                                       __builtin_trap();
                                   ++complete;
                               }});
    fuzz::accepts([&] {
        while (!bytes.empty()) {
            const auto room = connection.room();
            if (room.empty()) __builtin_trap();
            const size_t count = std::min({piece, room.size(), bytes.size()});
            std::memcpy(room.data(), bytes.data(), count);
            bytes = bytes.subspan(count);
            connection.received(count);
        }
    });
    return complete;
}

int accepted(ByteSpan bytes) {
    const int whole = messages_in(bytes, bytes.size() + 1), pieces = messages_in(bytes, 5);
    if (whole != pieces) __builtin_trap();
    return whole > 0;
}

std::vector<std::string> seeds() {
    return {
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":3,\"height\":2}\nabcdef",
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":1,\"height\":1,\"channels\":4,\"type\":\"f32\","
        "\"alpha\":\"straight\",\"signal\":true}\n0123456789abcdef",
        "{\"texelscope\":1,\"do\":\"open\",\"files\":[\"/a.png\",\"@step:8\"]}\n{\"texelscope\":1,\"do\":\"open\","
        "\"files\":[]}\n",
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":1,\"height\":1,\"memory\":true}\n",
    };
}

const fuzz::Registered registered({"pushing", accepted, seeds});

}  // namespace pushing

// Arbitrary bytes for the reader of session files: each must parse, or throw Error. A parsed session can be written,
// and is read back as the same.
namespace session {

bool session(ByteSpan bytes) {
    return fuzz::accepts([&] {
        const Session session = session_from_json(std::string(text_of(bytes)), "/folder");
        const Scene& scene = session.scene;
        const int images = int(scene.documents.size()), panes = int(scene.panes.size());
        if (panes < 1 || panes > max_panes || scene.active < 0 || scene.active >= panes) __builtin_trap();
        if (scene.current < -1 || scene.current >= images || (images > 0) != (scene.current >= 0)) __builtin_trap();
        const std::string text = session_to_json(session, "/folder");
        if (session_to_json(session_from_json(text, "/folder"), "/folder") != text) __builtin_trap();
    });
}

int accepted(ByteSpan bytes) { return session(bytes); }

std::vector<std::string> seeds() {
    return {
        R"({"texelscope": 1, "panes": [{"spec": "bspline"}]})",
        R"({"texelscope":1,"images":[{"source":"a.png"},{"source":"@step:8","view":{"scale":0.25,"rotate":10}}],)"
        R"("current":1,"panes":[{"spec":"bc:b=0.2","label":"x","difference":true,"against":1},{"spec":"nearest"}]})",
        R"({"texelscope":1,"panes":[{"spec":"bspline:prefilter=fir7","image":"a.png","view":{"scale":1e-3},)"
        R"("offset":{"translate_x":2.5},"antialias":false}],"reference":{"kind":"image","image":"b.png"}})",
        R"({"texelscope":1,"panes":[{"spec":"lanczos3"}],"wipe":{"at":0.25,"held":true},"display":{"exposure":-1,)"
        R"("gamma":2.2,"channel":"luma"},"difference":{"kind":"signed","gain":64,"map":"balance"}})",
        R"({"texelscope":1,"panes":[{"spec":"omoms"}],"profile":{"along":"line","a":{"x":1,"y":2},"b":{"x":-3}},)"
        R"("warp":{"kind":"swirl","strength":90},"selection":{"x0":0,"y0":1,"x1":2,"y1":3.5},"interface":{"plot":"taps"}})",
        R"({"texelscope":1,"image":"@step:8","region":{"x0":0,"y0":1,"x1":2,"y1":3.5},"panes":[{"spec":"bspline"}],)"
        R"("interface":{"zoom":{"weight":{"from":-1,"to":2}},"cursor":{"x":1,"y":2},"loupe_magnification":4,"channel":0}})",
    };
}

const fuzz::Registered registered({"session", accepted, seeds});

}  // namespace session

}  // namespace
