// Kernels on the CPU. The same text is compiled by the C++ compiler, within this file, and interpreted: both must compute the
// same numbers, whichever ways the pixels of a block go. What is not understood is refused with its place, and no text takes
// the interpreter with it.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/timing.h"
#include "gpu/kernels/kernel_interpreter.h"
#include "tests/kernels/compiled_kernels.h"
#include "tests/support/kernels.h"

namespace texelscope::test {
namespace {

struct Texels final : KernelTaps {
    void read(const int* i, const int* j, const int* active, float* to) const override {
        for (int l = 0; l < kernel_lanes; ++l) {
            if (active[l] == 0) continue;
            const dialect::float4 t = dialect::texel(i[l], j[l]);
            for (const auto& [c, v] : {std::pair{0, t.x}, {1, t.y}, {2, t.z}, {3, t.w}}) to[c * kernel_lanes + l] = v;
        }
    }
};

std::shared_ptr<const InterpretedKernel> interpreted(const std::string& text) {
    const ParsedKernel parsed = parse_kernel(text);
    if (!parsed.problems.empty()) throw KernelError(parsed.problems);
    return interpret_kernel(parsed.file, text);
}

std::vector<KernelProblem> interpreter_problems(const std::string& text) {
    try {
        interpreted(text);
    } catch (const KernelError& error) {
        return error.problems;
    }
    return {};
}

std::string problem_of(const std::string& body, const std::string& before = "") {
    const auto all = interpreter_problems(kernel_text(body, before));
    return all.empty() ? "" : to_string(all.front());
}

std::string with_parameters(const Both& both) {
    return std::string("//! parameter a = 0 from 0 to 1\n//! parameter b = 0 from 0 to 2\n") + both.text;
}

// Runs it for a block; lane l is pixel (l, 3 + l % 7).
class Block {
public:
    explicit Block(const std::string& text, int every = 1, std::stop_token cancelled = {}) {
        picture_ = {640, 480, 200, 100, 0.375, {0.625f, 1.5f}};
        machine_ = std::make_unique<KernelMachine>(interpreted(text), texels_, picture_, std::move(cancelled));
        for (int l = 0; l < kernel_lanes; ++l) {
            machine_->taking_part()[l] = l % every == 0 ? -1 : 0;
            machine_->i()[l] = l;
            machine_->j()[l] = 3 + l % 7;
            machine_->x()[l] = x(l);
            machine_->y()[l] = y(l);
        }
        stop = machine_->run();
    }
    static double x(int l) { return l * 0.731 - 3.25; }
    static double y(int l) { return 20 - l * 0.377; }
    std::array<float, 4> value(int l) const {
        return {machine_->value(0)[l], machine_->value(1)[l], machine_->value(2)[l], machine_->value(3)[l]};
    }
    KernelStop stop;

private:
    Texels texels_;
    KernelPicture picture_;
    std::unique_ptr<KernelMachine> machine_;
};

TEST(InterpretedKernel, ComputesWhatCompiledCppDoes) {
    for (const Both* both : all_both)
        for (const int every : {1, 3}) {  // all lanes, and some
            const Block block(with_parameters(*both), every);
            EXPECT_EQ(block.stop.reason, KernelStop::none) << both->name;
            for (int l = 0; l < kernel_lanes; l += every) {
                const dialect::Source s{640, 480, l, 3 + l % 7, 200, 100, 0.375};
                const dialect::float4 v = both->compiled(s, Block::x(l), Block::y(l), {0.625f, 1.5f});
                const std::array<float, 4> expected = {v.x, v.y, v.z, v.w}, found = block.value(l);
                for (size_t c = 0; c < 4; ++c) {
                    if (std::isnan(expected[c]))
                        EXPECT_TRUE(std::isnan(found[c])) << both->name << " " << l << " " << c;
                    else
                        EXPECT_NEAR(found[c], expected[c], 1e-6 * std::max(1.0f, std::abs(expected[c])))
                            << both->name << ", pixel " << l << ", number " << c;
                }
            }
        }
}

// What the interpreter understands is no more than what a GPU does.
TEST(CompilingInterpretedKernels, AllThatIsUnderstoodCompilesForAGpu) {
    if (const std::string why = why_no_nvrtc(); !why.empty()) GTEST_SKIP() << why;
    for (const Both* both : all_both) {
        const ParsedKernel parsed = parse_kernel(with_parameters(*both));
        ASSERT_TRUE(parsed.problems.empty()) << to_string(parsed.problems.front());
        try {
            compile_kernel(parsed.file, 0, KernelCache(""));
        } catch (const KernelError& error) {
            ADD_FAILURE() << both->name << ": " << error.what();
        }
    }
}

TEST(InterpretedKernel, EndsWhenNobodyWaitsAnyMoreOrItTakesTooLong) {
    const std::string slow = kernel_text(
        "    float a = 0;\n    for (int k = 0; k < 65000; ++k) { LINE }\n    return make_float4(a, 0, 0, 0);");
    const auto with = [&](const std::string& line) { return std::string(slow).replace(slow.find("LINE"), 4, line); };
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(Block(with("a += 1;"), 1, source.get_token()), Cancelled);
    std::string much;
    for (int k = 0; k < 60; ++k) much += "a += sinhf(a + x) * cbrtf(a + k);";
    const StopWatch watch;
    const Block late(with(much));
    EXPECT_EQ(late.stop.reason, KernelStop::block);
    EXPECT_LT(watch.ms(), 30000);
    EXPECT_THAT(stop_sentence(late.stop, "k"), ::testing::HasSubstr("128 pixels took longer than 4 s"));
}

// As a GPU: what cannot be represented becomes the nearest number, and nothing stops the program.
TEST(InterpretedKernel, NumbersThatDoNotFitAreThoseOfAGpu) {
    const Block block(kernel_text(
        "    float big = 3e9f * s.i; int zero = s.i - s.i; float nan = sqrtf(-1.0f - s.i); int least = -2147483647 - 1;\n"
        "    Array<int, 8> n; n(0) = big; n(1) = -big; n(2) = nan; n(3) = whole(big * 1e3); n(4) = least / (zero - 1);\n"
        "    n(5) = 1 << 31 + zero + 1; n(6) = -5 >> 40 + zero; n(7) = 7 % zero + (int)(unsigned)-1.5f; unsigned u = -big; unsigned v = 5e9f;\n"
        "    if (s.i == 0) return make_float4(0, 0, 0, 0);\n"
        "    if (s.i == 1) return make_float4(n(0) == 2147483647, n(1) == least, n(2) == 0, n(3) == 2147483647);\n"
        "    if (s.i == 2) return make_float4(n(4) == least, n(5) == 0, n(6) == -1, n(7) == 7);\n"
        "    return make_float4(u == 0, v == 0xffffffffu, fminf(nan, 3) == 3, fmaxf(nan, 3) == 3 && isnan(nan) && !isfinite(big / zero));"));
    for (const int l : {1, 2, 3, 99}) EXPECT_EQ(block.value(l), (std::array<float, 4>{1, 1, 1, 1})) << l;
}

TEST(InterpretedKernel, TheExponentialIsThatOfFloat32) {
    const Block block(kernel_text(
        "    float v = (float)(1.45 * (s.i - 72)); return make_float4(v, expf(v), expf(1e30f * (s.i - 64)), expf(sqrtf(-1.0f)));"));
    for (int l = 0; l < kernel_lanes; ++l) {
        const double expected = std::exp(double(block.value(l)[0]));
        EXPECT_NEAR(block.value(l)[1], expected, std::max(2.5e-7 * expected, 1.5e-45)) << block.value(l)[0];
        EXPECT_EQ(block.value(l)[2], l < 64 ? 0.0f : l == 64 ? 1.0f : std::numeric_limits<float>::infinity());
        EXPECT_TRUE(std::isnan(block.value(l)[3]));
    }
}

TEST(InterpretedKernel, LoopsAreCountedForEachPixel) {
    // 40 000 turns one way and 40 000 the other, but 80 000 for nobody.
    const std::string two =
        "    int n = 0;\n    if (s.i % 2) for (int k = 0; k < 40000; ++k) ++n; else for (int k = 0; k < 40000; ++k) n += 2;\n    return make_float4(n, 0, 0, 0);";
    const Block within(kernel_text(two));
    EXPECT_EQ(within.stop.reason, KernelStop::none);
    EXPECT_EQ(within.value(3)[0], 40000);
    EXPECT_EQ(within.value(4)[0], 80000);
    const Block endless(
        kernel_text("    float a = 0;\n    while (s.i == 77) a += 1;\n    return make_float4(a, 0, 0, 0);"));
    EXPECT_EQ(endless.stop.reason, KernelStop::turns);
    EXPECT_EQ(endless.stop.i, 77);
    EXPECT_EQ(endless.stop.j, 3 + 77 % 7);
    // As on a GPU, 65 535 conditions are the most.
    EXPECT_EQ(Block(kernel_text("    int n = 0;\n    while (n < 65534) ++n;\n    return make_float4(n, 0, 0, 0);"))
                  .stop.reason,
              KernelStop::none);
    EXPECT_EQ(Block(kernel_text("    int n = 0;\n    while (n < 65535) ++n;\n    return make_float4(n, 0, 0, 0);"))
                  .stop.reason,
              KernelStop::turns);
}

TEST(InterpretedKernel, AnIndexIsCheckedWhereItIsUsedOnly) {
    const std::string guarded =
        "    Array<float, 4> a; int k = s.i - 60;\n    float v = k >= 0 && k < 4 && a(k) == 0 ? a(k) + 1 : 2;\n    return make_float4(v, 0, 0, 0);";
    const Block fine(kernel_text(guarded));
    EXPECT_EQ(fine.stop.reason, KernelStop::none);
    EXPECT_EQ(fine.value(61)[0], 1);
    EXPECT_EQ(fine.value(59)[0], 2);
    const Block beyond(
        kernel_text("    Array<float, 4> a; a(s.i == 9 ? -1 : 3) = 1;\n    return make_float4(a(3), 0, 0, 0);"));
    EXPECT_EQ(beyond.stop.reason, KernelStop::index);
    EXPECT_EQ(beyond.stop.i, 9);
    EXPECT_EQ(Block(kernel_text("    Array<float, 4> a; return make_float4(a(4), 0, 0, 0);")).stop.reason,
              KernelStop::index);
}

TEST(InterpretedKernel, WhatIsWrongIsSaidWithItsPlace) {
    const std::pair<const char*, const char*> wrong[] = {
        {"    return nothing;", "line 2, column 12: identifier \"nothing\" is undefined"},
        {"    return missing(1);", "line 2, column 12: identifier \"missing\" is undefined"},
        {"    return s.tap(s.nothing, 0);", "line 2, column 20: class \"Source\" has no member \"nothing\""},
        {"    return s.pixel(1);", "line 2, column 14: class \"Source\" has no member \"pixel\""},
        {"    return 1;", "line 2, column 5: a int cannot become a float4"},
        {"    float4 a = s.tap(0, 0); return a + 1;",
         "line 2, column 38: no operator \"+\" matches these operands: float4 + int"},
        {"    const int a = 1; a = 2; return s.tap(0, 0);", "this is const"},
        {"    1 = 2; return s.tap(0, 0);", "nothing can be assigned to this"},
        {"    int a; int a; return s.tap(0, 0);", "line 2, column 16: a is declared twice"},
        {"    return s.tap(0, 0)", "line 3, column 1: expected a \";\""},
        {"    return s.tap(0);", "write s.tap(i, j)"},
        {"    Array<float4, 129> a; return a(0);", "an Array has 1 to 2048 bytes"},
        {"    Array<float, 3> a = {1, 2, 3, 4}; return s.tap(0, 0);", "too many values"},
        {"    break;", "break stands outside a loop"},
        {"    switch (s.i) { case 1: case 1: ; } return s.tap(0, 0);", "there are two cases 1"},
        {"    return sqrtf(1, 2);", "no function \"sqrtf\" matches these arguments: (int, int)"},
        {"    x;", "function \"sample\" returns no value"},
        {"    return s.tap(5000000000, 0);", "5000000000 does not fit an int"},
        {"    long a = 1; return s.tap(0, 0);", "line 2, column 5: the type long is not understood on the CPU"},
        {"    struct S { int a; }; return s.tap(0, 0);", "is not understood on the CPU"},
        {"    if (int a = 1) return s.tap(0, 0); return s.tap(1, 1);",
         "a declaration in a condition is not understood on the CPU"},
    };
    for (const auto& [body, why] : wrong) EXPECT_THAT(problem_of(body), ::testing::HasSubstr(why)) << body;
    EXPECT_THAT(problem_of("    return s.tap(0, 0);", "enum E { a };\n"),
                ::testing::HasSubstr("line 1, column 1: enum is not understood on the CPU"));
    EXPECT_THAT(problem_of("    return s.tap(0, 0);", "float f(float a);\nfloat g() { return f(1); }\n"),
                ::testing::HasSubstr("line 2, column 20: function \"f\" is declared and not defined"));
    EXPECT_THAT(problem_of("    return f(1) * s.tap(0, 0);\n}\nfloat f(float a) { return a;"),
                ::testing::HasSubstr("\"f\" is undefined"));
    EXPECT_THAT(problem_of("    return f(1, 2) * s.tap(0, 0);",
                           "float f(int a, float b) { return a; }\nfloat f(float a, int b) { return a; }\n"),
                ::testing::HasSubstr("more than one function \"f\" matches"));
    // One problem of each function, also of those that nobody calls.
    const auto all = interpreter_problems(kernel_text("    return wrong;", "float f(float a) { return b; }\n\n"));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(to_string(all[0]), "line 1, column 27: identifier \"b\" is undefined");
    EXPECT_EQ(all[1].line, 4);
}

TEST(InterpretedKernel, HostileTextsAreRefusedSoon) {
    const std::clock_t begin = std::clock();  // a processor's time: a machine may be busy
    const auto repeated = [](const std::string& piece, size_t times) {
        std::string all;
        for (size_t k = 0; k < times; ++k) all += piece;
        return all;
    };
    const std::string deep[] = {"    return " + repeated("-", 30000) + "s.tap(0, 0);",
                                "    return " + repeated("!", 30000) + "1 * s.tap(0, 0);",
                                "    int a = 1 " + repeated("? 1 : 1 ", 5000) + "; return s.tap(0, 0);",
                                repeated("if (x > 1) ; else ", 3000) + "; return s.tap(0, 0);",
                                "    int a = " + repeated("(int)", 9000) + "1; return s.tap(0, 0);",
                                repeated("for(;;)", 8000) + "; return s.tap(0, 0);"};
    for (const std::string& body : deep)
        EXPECT_THAT(problem_of(body), ::testing::HasSubstr("nested more than 256 deep")) << body.substr(0, 40);
    // Each function calls the one before twice.
    std::string doubled = "float f0(float a) { return a + 1; }\n";
    for (int k = 1; k < 60; ++k)
        doubled += fmt::format("float f{0}(float a) {{ return f{1}(a) + f{1}(a + 1); }}\n", k, k - 1);
    EXPECT_THAT(problem_of("    return f59(x) * s.tap(0, 0);", doubled), ::testing::HasSubstr("too long for the CPU"));
    std::string empty = "void f0() {}\n";
    for (int k = 1; k < 60; ++k) empty += fmt::format("void f{0}() {{ f{1}(); f{1}(); }}\n", k, k - 1);
    EXPECT_THAT(problem_of("    f59(); return s.tap(0, 0);", empty), ::testing::HasSubstr("too long for the CPU"));
    std::string arrays;
    for (int k = 0; k < 200; ++k) arrays += fmt::format("Array<float4, 128> a{0}; a{0}(0) = s.tap(0, {0}); ", k);
    EXPECT_THAT(problem_of(arrays + "return a0(1);"), ::testing::HasSubstr("use smaller Arrays"));
    std::string large = "struct S0 { Array<float4, 128> a; };\n";
    for (int k = 1; k < 40; ++k) large += fmt::format("struct S{0} {{ S{1} a, b; }};\n", k, k - 1);
    EXPECT_THAT(problem_of("    return s.tap(0, 0);", large), ::testing::HasSubstr("too large for the CPU"));
    EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 20);
}

}  // namespace
}  // namespace texelscope::test
