// Fuzz targets: metadata, colour profiles, tables, kernels and weight functions of one's own.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/image_files.h"
#include "app/files/tables/tables.h"
#include "gpu/kernels/kernel_interpreter.h"
#include "gpu/method/custom_method.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/encoded_files.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

// Arbitrary bytes for the readers of metadata, which never throw; and what they give, made printable.
namespace metadata {

// Independent of the code: no control character of ASCII, and not too long.
void check_printable(std::string_view text, size_t most) {
    const std::string shown = printable(text, most);
    const auto control = [](char c) { return uint8_t(c) < ' ' || c == 0x7f; };
    if (shown.size() > most || std::ranges::any_of(shown, control)) __builtin_trap();
    if (!is_utf8(shown) || printable(shown, most) != shown) __builtin_trap();
}

size_t check_rows(const std::vector<MetadataRow>& rows) {
    for (const MetadataRow& row : rows) {
        if (row.group.empty()) __builtin_trap();
        check_printable(row.name, 100);
        check_printable(row.value, 60);
    }
    return rows.size();
}

int accepted(ByteSpan bytes) {
    size_t rows = 0;
    for (const int part : {0, 1, 50}) rows += check_rows(exif_rows(bytes, "TIFF", part));
    if (const int lies = orientation_in_heif(bytes); lies < 1 || lies > 8) __builtin_trap();
    rows += check_rows(exif_rows(exif_of_heif(bytes)));
    if (!has_xmp_in_heif(bytes) && !xmp_of_heif(bytes).empty()) __builtin_trap();
    is_grey_in_heif(bytes, 1);
    rows += check_rows(png_texts(bytes)) + check_rows(jpeg_texts(bytes));
    for (const size_t most : {0u, 2u, 7u, 1000u}) check_printable(text_of(bytes), most);
    return rows > 0;
}

std::vector<std::string> seeds() {
    using namespace texelscope::test;
    const auto entry = [](uint32_t tag, uint32_t type, uint32_t count, const std::string& value) {
        return little16(tag) + little16(type) + little32(count) + value;
    };
    // A directory at 8 with one number, a text at 62, the EXIF directory at 66 and the GPS directory at 96.
    const std::string tiff =
        "II*\0"s + little32(8) + little16(4) + entry(0x0112, 3, 1, little32(6)) + entry(0x010f, 2, 4, "abc\0"s) +
        entry(0x8769, 4, 1, little32(66)) + entry(0x8825, 4, 1, little32(96)) + little32(0) + "    " + little16(2) +
        entry(0x829a, 5, 1, little32(126)) + entry(0x9286, 7, 4, "abcd") + little32(0) + little16(2) +
        entry(1, 2, 2, "N\0\0\0"s) + entry(2, 5, 1, little32(126)) + little32(0) + little32(1) + little32(250);
    return {
        tiff,
        heif({{"irot", "\3"s}, {"imir", "\1"s}}, tiff),
        "\x89PNG\r\n\x1a\n" + chunk("tEXt", "Title\0text"s) + chunk("zTXt", "Title\0\0"s + test::stored("text")) +
            chunk("iTXt", "Title\0\1\0en\0Titel\0"s + test::stored("text")) + chunk("tIME", "\x07\xe8\1\2\3\4\5"s) +
            chunk("pHYs", big32(2835) + big32(2835) + "\1"),
        "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\1\0\x48\0\x48\0\0\xff\xfe\0\5abc\xff\xc2\0\x0b\x08\0\1\0\1\1\1\x11\0\xff\xda"s,
        "a\tb\x1b[31m\xc3\xa9\xe2\x80\xae\xf0\x9f\x98\x80\xff\xc0\x80 \xed\xa0\x80\xc2\x85"s,
    };
}

const fuzz::Registered registered({"metadata", accepted, seeds});

}  // namespace metadata

// Arbitrary bytes as a colour profile, and as a question about one: what a decoder does with Little CMS. Each must give
// finite numbers, of as many as its kind has, or a sentence; a question may throw Error.
namespace profiles {

ColourProfile profile_of(ByteSpan icc) {
    ColourProfile profile;
    profile.icc.assign(icc.begin(), icc.end());
    return profile;
}

bool conversion(ByteSpan bytes, int channels) {
    const ProfileConversion made = make_conversion(profile_of(bytes), channels, {});
    if (made.values.size() != ColourConversion::value_count(made.conversion.kind)) __builtin_trap();
    if (!std::ranges::all_of(made.values, [](float v) { return std::isfinite(v); })) __builtin_trap();
    if (!made.problem.empty() && made.conversion.kind != ColourConversion::Kind::none) __builtin_trap();
    return made.problem.empty();
}

// The profile of four inks.
void inks(ByteSpan icc) {
    const ColourProfile profile = profile_of(icc);
    const uint8_t in[8] = {0, 50, 100, 200, 255, 255, 255, 255};
    uint8_t out[6] = {};
    for (const bool inverted : {false, true}) Inks(&profile, inverted).to_srgb(in, out, 2);
}

// The profile in the header of a JPEG of four inks.
void rows(ByteSpan icc) {
    if (icc.size() > 60000) return;
    const std::string mark = "ICC_PROFILE\0\1\1"s;
    const std::string file = "\xff\xd8\xff\xe2" + test::big16(uint32_t(2 + mark.size() + icc.size())) + mark +
                             std::string(text_of(icc)) + "\xff\xc0\0\x14\x08\0\1\0\1\4"s + std::string(12, '\1') +
                             "\xff\xda";
    colour_rows(test::span_of(file));
}

int accepted(ByteSpan bytes) {
    const int count = conversion(bytes, 1) + conversion(bytes, 3);
    inks(bytes);
    rows(bytes);
    fuzz::accepts([&] { answer_profile_question(bytes); });
    fuzz::accepts([&] { name_of_screen({bytes.begin(), bytes.end()}); });
    return count;
}

// Tables take long: one that is damaged is worth the time, ten thousand of them are not (see driver.cpp).
std::vector<std::string> seeds() {
    const auto text = [](const std::vector<std::byte>& bytes) { return std::string(text_of(bytes)); };
    return {text(test::bytes_of(test::adobe_like_profile().get())),
            text(test::bytes_of(test::grey_profile(2.2).get()))};
}

const fuzz::Registered registered({"profiles", accepted, seeds});

}  // namespace profiles

// Arbitrary bytes for the parsers of points and signals: each must parse, or throw Error.
namespace tables {

void demand(bool condition) {
    if (!condition) __builtin_trap();
}

bool table(ByteSpan bytes) {
    return fuzz::accepts([&] {
        const NumberTable table = parse_number_table(text_of(bytes), 3);
        demand(table.rows() >= 1 && table.columns >= 1 && table.columns <= 3);
        demand(table.values.size() == table.rows() * size_t(table.columns) &&
               table.words.size() == table.values.size());
        demand(table.values.size() <= bytes.size());  // each number is at least one byte
    });
}

bool signal(ByteSpan bytes) {
    return fuzz::accepts([&] {
        const Signal signal = parse_signal(bytes);
        demand(signal.samples.one_dimensional() && signal.spacing > 0);
    });
}

bool points(ByteSpan bytes) {
    return fuzz::accepts([&] {
        Bytes copy(bytes.begin(), bytes.end());
        const PointList points = parse_points(std::move(copy));
        demand(points.count() >= 1 && points.count() * size_t(points.dimensions) == points.coordinates.size());
        uint64_t count = 1;
        for (const uint64_t side : points.shape) count *= side;
        demand(count == points.count());
        std::string text;
        append_point(points, points.count() - 1, text);
        demand(!text.empty());
    });
}

int accepted(ByteSpan bytes) { return table(bytes) + signal(bytes) + points(bytes); }

std::vector<std::string> seeds() {
    const auto npy = [](const std::string& dictionary, const std::string& data) {
        return "\x93NUMPY\x01\0"s + char(dictionary.size() + 1) + '\0' + dictionary + '\n' + data;
    };
    return {
        "1\n2\n3\n",
        "x,y\n0.5,-1e3\n+1.,nan\n",
        "\xef\xbb\xbf# points\r\n\"left\";\"top\"\r\n1 ; 2\r\n3;4 # c\r\n",
        "0 1\n0.1 2\n0.2 3\n0.3 4\n",
        "-2\t1\t-1\r0\t2\t-2\r2\tinf\t-nan\r",
        "1e999,1e-999\n-infinity,00012\n",
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcdefgh"),
        npy("{'descr': '>f8', 'fortran_order': True, 'shape': (1, 2), }", "abcdefghijklmnop"),
        npy("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2, 2), }", "abcdefgh"),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", ""),
    };
}

const fuzz::Registered registered({"tables", accepted, seeds});

}  // namespace tables

// Fuzz targets: kernels and weight functions of one's own.

using namespace texelscope;
using namespace std::string_literals;

// Arbitrary bytes for the reader of kernels: each is refused in sentences with their places, or is of the dialect. Then the
// text keeps its lines, every loop has its budget, and nothing in it reaches what the dialect hides.
namespace kernels {

struct NoSamples final : KernelTaps {
    void read(const int*, const int*, const int* active, float* to) const override {
        for (int l = 0; l < kernel_lanes; ++l)
            if (active[l] != 0) to[l] = to[3 * kernel_lanes + l] = 0.5f;
    }
};

void check_sentences(const std::vector<KernelProblem>& problems) {
    if (problems.empty()) __builtin_trap();
    for (const KernelProblem& problem : problems)
        if (problem.line < 0 || problem.column < 0 || problem.sentence.empty() || problem.sentence.size() > 400 ||
            problem.sentence.find('\n') != std::string::npos)
            __builtin_trap();
}

// What is of the dialect is refused in sentences by the interpreter, or runs: also where its pixels go different ways.
bool interpreted(const KernelFile& file, const std::string& text) {
    std::shared_ptr<const InterpretedKernel> kernel;
    try {
        kernel = interpret_kernel(file, text);
    } catch (const KernelError& error) {
        check_sentences(error.problems);
        return false;
    }
    const NoSamples samples;
    KernelMachine machine(kernel, samples, {7, 5, 11, 13, 0.5, {0.25f, 1, 2, 3}}, {});
    for (int l = 0; l < kernel_lanes; ++l) {
        machine.taking_part()[l] = l % 5 == 4 ? 0 : -1;
        machine.x()[l] = l * 0.7 - 9;
        machine.y()[l] = 3 - l * 0.3;
        machine.i()[l] = l % 11;
        machine.j()[l] = l / 11;
    }
    const KernelStop stop = machine.run();
    if (stop.reason != KernelStop::none && stop_sentence(stop, "k").empty()) __builtin_trap();
    return true;
}

bool kernel(ByteSpan bytes) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const ParsedKernel parsed = parse_kernel(text);
    for (const KernelProblem& problem : parsed.problems)
        if (problem.line < 1 || problem.column < 1 || problem.sentence.empty() || problem.sentence.size() > 400 ||
            problem.sentence.find('\n') != std::string::npos)
            __builtin_trap();
    if (!parsed.problems.empty()) return false;
    const std::string& code = parsed.file.code;
    if (std::count(code.begin(), code.end(), '\n') != std::count(text.begin(), text.end(), '\n')) __builtin_trap();
    const KernelTokens before = kernel_tokens(text), after = kernel_tokens(code);
    if (!before.problem.empty() || !after.problem.empty()) __builtin_trap();
    const auto count = [](const KernelTokens& all, std::string_view word) {
        return std::count_if(all.tokens.begin(), all.tokens.end(),
                             [&](const KernelToken& t) { return t.text == word; });
    };
    if (count(before, "ts_turn") != 0) __builtin_trap();
    size_t loops = 0;  // a compiler refuses any other `for`
    for (size_t i = 0; i + 1 < before.tokens.size(); ++i)
        loops += before.tokens[i].text == "for" && before.tokens[i + 1].text == "(";
    if (size_t(count(after, "ts_turn")) < loops) __builtin_trap();
    if (kernel_program(parsed.file).find(code) == std::string::npos) __builtin_trap();
    return interpreted(parsed.file, text);
}

// A compiler's log of any form becomes sentences as well.
void log(ByteSpan bytes) {
    const std::string text =
        "kernel(3): error: " + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const KernelProblem& problem : problems_of_log(text))
        if (problem.line < 1 || problem.column < 1 || problem.sentence.find('\n') != std::string::npos)
            __builtin_trap();
}

int accepted(ByteSpan bytes) {
    log(bytes);
    return kernel(bytes);
}

std::vector<std::string> seeds() {
    return {
        "//! name = A\n//! parameter a = 0.5 from 0 to 1\nfloat4 sample(Source s, double x, double y, Params p) {\n"
        "    for (int i = 0; i < 3; ++i) while (x > 1) x -= p.a;\n    return s.tap(whole(x), whole(y));\n}\n",
        "struct S { float a; };\nconstexpr float k = 2;\nfloat f(float& a) { return a * k; }\n"
        "float4 sample(Source s, double x, double y, Params p) {\n    S t = {1};\n    Array<float, 4> a; a(1) = f(t.a);\n"
        "    do { x += 1; } while (x < 3 && y > 2);\n    /* c */ return a(1) * s.tap(0, 0);\n}\n",
        "float g(float4 v, int& n) { n++; switch (n) { case 1: return v.x; case 3: n += 2; default: break; } return -v.y; }\n"
        "float4 sample(Source s, double x, double y, Params p) {\n    Array<Array<float, 3>, 3> m = {}; int n = s.i % 3;\n"
        "    for (int i = 0; i < 9; ++i) { if (i == n) continue; m(i / 3)(i % 3) += g(s.tap(i, n), n) * expf(-i); if (n > 6) break; }\n"
        "    unsigned u = 7u << 3; u ^= n; auto c = x > 1 && m(n % 3)(0) > 0 ? s.tap(1, 1) : make_float4(u, 1e-3f, 0x1p-2f, (float)y);\n"
        "    return lerp(c, c * 2, clamp(part(x), 0, 1)) + -c / sqrtf(2);\n}\n",
        "struct T { float a = 1; int n; float b() const { return a * n; } };\nfloat4 sample(Source s, double x, double y, Params p) {\n"
        "    T t = {2, 3}; T u; u.n = t.n-- % 2; const float& r = t.a; do u.n += 5; while (u.n < s.j && !(s.i & 1));\n"
        "    return float4{t.b(), u.b(), random(s.i, s.j), r} * (float)pow(x, 2) + s.tap(min(3, u.n), abs(whole(y)));\n}\n",
        "dialect(8): error: static assertion failed with \"x\"\n   ^\n  at line 3 of kernel\nkernel(4): error: y\n    z\n    ^\n",
    };
}

const fuzz::Registered registered({"kernels", accepted, seeds});

}  // namespace kernels

// Arbitrary bytes for the reader of weight functions: each must become a method, or throw an Error of one sentence with
// its line and column, or line 0 for what is missing from the whole text.
namespace weights {

bool weights(ByteSpan bytes) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    try {
        const CustomMethod method(text);
        const auto weights = method.weights(method.info().standard_parameters());
        if (weights->pieces.empty() || method.info().taps < 2 || method.info().taps > 16) __builtin_trap();
        for (const FittedPiece& piece : weights->pieces)
            if (!(piece.begin < piece.end) || piece(piece.begin) != piece(piece.begin)) __builtin_trap();
        return true;
    } catch (const WeightError& error) {
        const WeightProblem& problem = error.problem;
        if (problem.line < 0 || problem.column < 1 || problem.sentence.empty() || problem.sentence.size() > 400 ||
            problem.sentence.find('\n') != std::string::npos)
            __builtin_trap();
        return false;
    }
}

int accepted(ByteSpan bytes) { return weights(bytes); }

std::vector<std::string> seeds() {
    return {
        "# c\nname = Keys\nradius = 2\nparameter a = -0.5 from -1 to 0\nw(x) = abs(x) < 1 ? (a+2)*abs(x)^3 - (a+3)*x^2 + 1 : "
        "a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)\n",
        "radius = 3\nnormalise = yes\nprefilter = none\nw(x) = sinc(x)*sinc(x/3)",
        "parameter z = -0.3 from -2 to 2\nradius = 1\nprefilter = poles z, min(0.1, -0.2), sqrt(3) - 2\nw(x) = 1 - abs(x)",
        "radius = 1\nprefilter = taps -1/6, 4/3, -1/6\nw(x) = 1",
        "radius = 1\nprefilter = taps 15 of (sqrt(3) - 2)^abs(x)\nw(x) = 1 - abs(x)",
        "radius = 1.5\nw(x) = min(1, max(exp(-x*x), 0.2)) + pow(sqrt(abs(x)), 2)*sin(pi*x)*cos(x)",
        "radius = 2\nw(x) = x < 0.31 && x >= -1.2 || x == 1 ? 0.4 + 1e-1*x : -.05*x",
    };
}

const fuzz::Registered registered({"weights", accepted, seeds});

}  // namespace weights

}  // namespace
