// Fuzz targets: kernels and weight functions of one's own.

#include <algorithm>

#include "gpu/kernels/kernel_interpreter.h"
#include "gpu/method/custom_method.h"
#include "tests/fuzz/fuzz.h"

namespace {

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
        "radius = 1.5\nw(x) = min(1, max(exp(-x*x), 0.2)) + pow(sqrt(abs(x)), 2)*sin(pi*x)*cos(x)",
        "radius = 2\nw(x) = x < 0.31 && x >= -1.2 || x == 1 ? 0.4 + 1e-1*x : -.05*x",
    };
}

const fuzz::Registered registered({"weights", accepted, seeds});

}  // namespace weights

}  // namespace
