// The dialect of kernels of one's own: its settings, what it refuses and where, and the budget of its loops.

#include <gmock/gmock.h>

#include "gpu/core/stop_watch.h"
#include "gpu/kernels/kernel_file.h"
#include "tests/support/kernel_texts.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> problems_of(const std::string& text) {
    std::vector<std::string> all;
    for (const KernelProblem& problem : parse_kernel(text).problems) all.push_back(to_string(problem));
    return all;
}

std::string first_problem(const std::string& text) {
    const auto all = problems_of(text);
    return all.empty() ? "" : all.front();
}

TEST(KernelFile, HasANameAndParametersWithRanges) {
    const ParsedKernel parsed = parse_kernel(
        "//! name = Mine\n  //! parameter amount = 0.5 from -1 to 4\n//! parameter b = 0 from 0 to 1\n// name = no\n" +
        kernel_text("    return p.amount * s.tap(0, 0);"));
    ASSERT_TRUE(parsed.problems.empty()) << to_string(parsed.problems.front());
    EXPECT_EQ(parsed.file.name, "Mine");
    ASSERT_EQ(parsed.file.parameters.size(), 2u);
    EXPECT_EQ(parsed.file.parameters[0], (WeightParameter{"amount", -1, 4, 0.5}));
}

TEST(KernelFile, TheExamplesAreOfTheDialect) {
    for (const std::string& name : example_kernels()) {
        const std::string text = example_kernel(name);
        EXPECT_FALSE(text.empty()) << name;
        EXPECT_EQ(first_problem(text), "") << name;
    }
    EXPECT_EQ(first_problem(bilinear_kernel), "");
}

struct Refused {
    const char* body;
    const char* why;
};

TEST(KernelFile, NothingThatReachesMemoryIsOfTheDialect) {
    const Refused all[] = {
        {"float* q;", "no pointers"},
        {"return *(float4*)16;", "no pointers"},
        {"float4 v = s.tap(0, 0); float q = *&v.x;", "no pointers"},
        {"float q = f(&x);", "no addresses"},
        {"float a = x bitand y;", "no bitand"},
        {"float a[4];", "write Array<float, 9>"},
        {"float a<:4:>;", "no <:"},
        {"auto q = \"text\";", "no text"},
        {"auto q = s->width;", "no ->"},
        {"asm(x);", "no asm"},
        {"__trap();", "begin with __"},
        {"ts_left(0);", "begin with ts_"},
        {"auto q = s.ts_a;", "begin with ts_"},
        {"new int;", "no addresses"},
        {"return tex2D<float4>(1ull, 0.0f, 0.0f);", "no tex2D"},
        {"atomicAdd(x, 1);", "no atomicAdd"},
        {"using P = float;", "no using"},
        {"goto end;", "no goto"},
        {"reinterpret_cast<int>(x);", "no reinterpret_cast"},
        {"#define X", "no # lines"},
        {"auto q = nullptr;", "no addresses"},
    };
    for (const Refused& refused : all) {
        const std::string found = first_problem(kernel_text(std::string("    int k = 0;\n    ") + refused.body));
        EXPECT_THAT(found, HasSubstr(refused.why)) << refused.body;
        EXPECT_THAT(found, HasSubstr("line 3, column ")) << refused.body;
    }
    EXPECT_THAT(first_problem("struct S { float a; };\n" + kernel_text("    S * q;")),
                HasSubstr("line 3, column 7: the dialect has no pointers"));
    EXPECT_THAT(first_problem(kernel_text("    auto f = sample;")), HasSubstr("can only be called"));
    EXPECT_THAT(first_problem("int counter = 0;\n" + kernel_text("    return s.tap(0, 0);")),
                HasSubstr("line 1, column 1: outside functions"));
    EXPECT_THAT(first_problem("// a \\\n" + kernel_text("    return s.tap(0, 0);")), HasSubstr("backslash"));
}

TEST(KernelFile, ProductsReferencesAndBitsAreOfTheDialect) {
    EXPECT_EQ(
        first_problem("constexpr float k = 2;\nstruct Two { float a, b; };\nvoid twice(float& r) { r *= 2; }\n" +
                      kernel_text("    float a = 3 * k * (2) * k; twice(a);\n    int b = 5 & 3 && 1; Two t = {a, 2};\n"
                                  "    Array<float, 9> c; c(1) = a; const float4& d = s.tap(b, 1);\n"
                                  "    return t.b * d * (float)1e-3f * 0x1p-3f;")),
        "");
}

TEST(KernelFile, RecursionIsRefusedHoweverItGoesRound) {
    EXPECT_THAT(first_problem("float f(float a) { return a > 0 ? f(a - 1) : 0; }\n" +
                              kernel_text("    return f(1) * s.tap(0, 0);")),
                HasSubstr("line 1, column 7: f calls itself"));
    EXPECT_THAT(
        first_problem("float g(float a);\nfloat f(float a) { return g(a); }\nfloat g(float a) { return f(a); }\n" +
                      kernel_text("    return f(1) * s.tap(0, 0);")),
        HasSubstr("calls itself"));
    EXPECT_THAT(first_problem(kernel_text("    return sample(s, x, y, p);")), HasSubstr("sample calls itself"));
    EXPECT_THAT(first_problem("float f();\nstruct S { float a = f(); };\nfloat f() { S s; return s.a; }\n" +
                              kernel_text("    return f() * s.tap(0, 0);")),
                HasSubstr("calls itself"));
    EXPECT_EQ(first_problem("float f(float a) { return a; }\nfloat g(float a) { return f(f(a)); }\n" +
                            kernel_text("    return g(f(1)) * s.tap(0, 0);")),
              "");
    EXPECT_EQ(first_problem("struct S { float a; S twice() { S t; t.a = 2 * a; return t; } };\n" +
                            kernel_text("    S t = {1}; return t.twice().a * s.tap(0, 0);")),
              "");
}

TEST(KernelFile, WhatIsMissingOrNamedTwiceIsSaid) {
    EXPECT_THAT(first_problem(""), HasSubstr("define float4 sample(Source s, double x, double y, Params p)"));
    EXPECT_THAT(first_problem("float4 sample(Source s, float x, float y, Params p) { return s.tap(0, 0); }"),
                HasSubstr("line 1, column 8: define float4"));
    EXPECT_THAT(first_problem(bilinear_kernel + bilinear_kernel.substr(bilinear_kernel.find('\n') + 1)),
                HasSubstr("sample is defined twice"));
    EXPECT_THAT(first_problem("float luma(float4 a) { return a.x; }\n" + bilinear_kernel),
                HasSubstr("nothing can be called luma"));
    EXPECT_THAT(first_problem("//! parameter a = 1 from 0 to 2\n//! parameter a = 1 from 0 to 2\n" + bilinear_kernel),
                HasSubstr("line 2, column 5: parameter a is given twice"));
    EXPECT_THAT(first_problem("//! parameter float = 1 from 0 to 2\n" + bilinear_kernel),
                HasSubstr("cannot be called float"));
    EXPECT_THAT(first_problem("//! parameter text = 1 from 0 to 2\n" + bilinear_kernel),
                HasSubstr("cannot be called text"));
    EXPECT_THAT(first_problem("//! parameter a = 3 from 0 to 2\n" + bilinear_kernel), HasSubstr("within the range"));
    EXPECT_THAT(first_problem("//! radius = 3\n" + bilinear_kernel), HasSubstr("unknown key 'radius'"));
    EXPECT_THAT(first_problem("/* open\n" + bilinear_kernel), HasSubstr("does not end"));
    EXPECT_THAT(first_problem(kernel_text("    if (x > 0) {")), HasSubstr("is not closed"));
    EXPECT_THAT(first_problem(kernel_text("    for (int k : 3) k;")), HasSubstr("write for (start; condition; step)"));
    EXPECT_THAT(first_problem(std::string("float4\0sample", 13)), HasSubstr("this is no text"));
}

TEST(KernelFile, LargeTextsAreRefusedAtOnce) {
    EXPECT_THAT(first_problem(std::string(1000000, 'x')),
                HasSubstr("the text has 1000000 bytes: at most 65536 are read"));
    const StopWatch watch;
    for (const std::string& piece : {std::string("("), std::string("&\n"), std::string("f(){}"), std::string("for(;;)"),
                                     std::string("struct S{")}) {
        std::string text;
        while (text.size() + piece.size() <= KernelFile::most_bytes) text += piece;
        EXPECT_NE(first_problem(text), "") << piece;
        EXPECT_LE(problems_of(text).size(), 20u);
    }
    EXPECT_LT(watch.ms(), 5000);
}

TEST(KernelFile, EveryLoopHasABudgetOnItsOwnLine) {
    const std::string text = kernel_text(
        "    for (int i = 0; i < 3; ++i)\n"
        "        for (;;) { if (i > f(1, 2)) break; }\n"
        "    while (x > 0) x -= 1;\n"
        "    do { x += 1; } while (x < 3 || y > 2);\n"
        "    // while (true) in a comment\n"
        "    return s.tap(0, 0);",
        "int f(int a, int b) { return a * b; }\n");
    const ParsedKernel parsed = parse_kernel(text);
    ASSERT_TRUE(parsed.problems.empty()) << to_string(parsed.problems.front());
    const std::string& code = parsed.file.code;
    EXPECT_EQ(std::count(code.begin(), code.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
    EXPECT_THAT(code, HasSubstr("for (int i = 0; ts_turn() && ( i < 3); ++i)"));
    EXPECT_THAT(code, HasSubstr("for (; ts_turn();)"));
    EXPECT_THAT(code, HasSubstr("while ( ts_turn() && (x > 0)) x -= 1;"));
    EXPECT_THAT(code, HasSubstr("while ( ts_turn() && (x < 3 || y > 2));"));
    EXPECT_THAT(code, HasSubstr("// while (true) in a comment"));
}

TEST(KernelFile, IsToldFromAWeightFunctionByItsContent) {
    EXPECT_TRUE(is_kernel_text(bilinear_kernel));
    EXPECT_TRUE(is_kernel_text("float4 sample(\"broken"));
    EXPECT_FALSE(is_kernel_text("# float4 in a comment is not enough? no\nradius = 1\nw(x) = 1 - abs(x)"));
    EXPECT_FALSE(is_kernel_text("radius = 1\nw(x) = 1 - abs(x)"));
}

}  // namespace
}  // namespace texelscope::test
