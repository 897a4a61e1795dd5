// CUDA kernels from a text: the dialect, and compiling without a GPU.

#include <gmock/gmock.h>

#include <filesystem>

#include <dlfcn.h>

#include "gpu/core/timing.h"
#include "gpu/kernels/kernel_code.h"
#include "tests/support/kernels.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

// The dialect of kernels of one's own: its settings, what it refuses and where, and the budget of its loops.

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
    EXPECT_THAT(first_problem("// an empty word has its place too\n//! = 3\n" + bilinear_kernel),
                HasSubstr("line 2, column 5: unknown key ''"));
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

namespace fs = std::filesystem;

// Compiling kernels without a GPU: NVRTC is found or not, its log becomes sentences at the text's own lines, and what has
// been compiled is found again by its content. Tests that need the compiler are skipped without it.

KernelFile parsed(const std::string& text) {
    ParsedKernel result = parse_kernel(text);
    EXPECT_TRUE(result.problems.empty()) << to_string(result.problems.front());
    return result.file;
}

class Compiling : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = why_no_nvrtc(); !why.empty()) GTEST_SKIP() << why;
    }
    std::vector<KernelProblem> problems_of(const std::string& text) {
        try {
            compile_kernel(parsed(text), 0, KernelCache(""));
        } catch (const KernelError& error) {
            return error.problems;
        }
        return {};
    }
};

TEST(NvrtcLibrary, IsSaidToBeMissingWithWhatToInstall) {
    EXPECT_THROW(load_nvrtc({"/nowhere/libnvrtc.so.13", "libnvrtc-of-nobody.so"}), Unavailable);
    EXPECT_REFUSED(load_nvrtc({"/nowhere/libnvrtc.so.13"}), "install libnvrtc of CUDA 12 or 13");
    const Variable set("TEXELSCOPE_NVRTC", "/nowhere/libnvrtc.so.13");
    EXPECT_EQ(nvrtc_places(), std::vector<fs::path>{"/nowhere/libnvrtc.so.13"});
}

TEST(NvrtcLibrary, AnotherLibraryIsNoCompiler) {
    if (!dlopen("libm.so.6", RTLD_NOW)) GTEST_SKIP() << "no library can be loaded here";
    EXPECT_REFUSED(Nvrtc("libm.so.6"), "it has no nvrtcVersion");
}

TEST(NvrtcLibrary, IsLookedForInToolkitsAfterTheLoadersPlaces) {
    const Folder folder;
    fs::create_directories(folder.path() / "lib64");
    const fs::path file = folder.path() / "lib64" / "libnvrtc.so.12";
    fs::copy_file("/proc/self/exe", file);
    const Variable set("CUDA_PATH", folder.path().string());
    const auto places = nvrtc_places();
    ASSERT_GE(places.size(), 5u);
    EXPECT_EQ(places.front(), "libnvrtc.so.13");
    EXPECT_NE(std::find(places.begin(), places.end(), file), places.end());
}

TEST_F(Compiling, TheExamplesBecomeMachineCode) {
    for (const std::string& name : example_kernels()) {
        const auto code = compile_kernel(parsed(example_kernel(name)), nvrtc().oldest(), KernelCache(""));
        EXPECT_EQ(code->bytes.substr(1, 3), "ELF") << name;
    }
}

TEST_F(Compiling, AFileOfItsFolderIsEnough) {
    const Nvrtc again(fs::absolute(nvrtc().file()));
    EXPECT_EQ(again.version(), nvrtc().version());
    EXPECT_FALSE(again.compile(kernel_program(parsed(bilinear_kernel)), 0 + again.oldest()).code.empty());
}

TEST_F(Compiling, AGpuThatIsTooNewGetsPtxAndOneThatIsTooOldASentence) {
    const std::string program = kernel_program(parsed(bilinear_kernel));
    EXPECT_THAT(nvrtc().compile(program, 9990).code, HasSubstr(".version"));
    EXPECT_REFUSED(nvrtc().compile(program, 30), "the GPU has 3.0");
}

TEST_F(Compiling, ErrorsAreAtTheLinesOfTheText) {
    const auto two = problems_of(kernel_text(
        "    float a = nothing;\n    for (int i = 0; i < 3; ++i)\n        a += missing(i);\n    return s.tap(0, 0);",
        "//! name = Wrong\n\n"));
    ASSERT_EQ(two.size(), 2u);
    EXPECT_EQ(to_string(two[0]), "line 4, column 15: identifier \"nothing\" is undefined");
    EXPECT_EQ(to_string(two[1]), "line 6, column 14: identifier \"missing\" is undefined");
    const auto in_condition = problems_of(kernel_text("    while (x < unknown) x += 1;\n    return s.tap(0, 0);"));
    ASSERT_EQ(in_condition.size(), 1u);
    EXPECT_EQ(in_condition[0].line, 2);
    EXPECT_THAT(in_condition[0].sentence, HasSubstr("unknown"));
    for (const KernelProblem& problem :
         problems_of(kernel_text("    return p.amount * s.tap(0, 0) + 1 + s.pixel(3);"))) {
        EXPECT_EQ(problem.line, 2);
        EXPECT_EQ(problem.sentence.find("ts_"), std::string::npos) << problem.sentence;
    }
}

TEST_F(Compiling, WhatTheCompilerSaysOfItsOwnIsASentenceToo) {
    EXPECT_EQ(to_string(problems_of_log("nvrtc: error: invalid value\n").front()),
              "line 1, column 1: the compiler says: nvrtc: error: invalid value");
    EXPECT_EQ(problems_of_log("").size(), 1u);
    EXPECT_EQ(problems_of_log("dialect(7): error: x\n").front().line, 1);
    // Every pixel that a GPU computes at the same time has its own.
    const auto large =
        problems_of(kernel_text("    Array<float4, 100000> a; a(whole(x)) = s.tap(0, 0); return a(whole(y));"));
    ASSERT_EQ(large.size(), 1u);
    EXPECT_EQ(to_string(large.front()), "line 2, column 1: an Array has 1 to 2048 bytes");
}

TEST_F(Compiling, WhatWasCompiledIsFoundByItsContent) {
    const Folder folder;
    const KernelCache cache(folder.path());
    const auto first = compile_kernel(parsed(bilinear_kernel), 0, cache);
    EXPECT_FALSE(first->was_kept);
    const auto again = compile_kernel(parsed(bilinear_kernel), 0, cache);
    EXPECT_TRUE(again->was_kept);
    EXPECT_EQ(again->bytes, first->bytes);
    EXPECT_FALSE(compile_kernel(parsed(bilinear_kernel + "\n// other\n"), 0, cache)->was_kept);
    EXPECT_FALSE(compile_kernel(parsed(bilinear_kernel), 900, cache)->was_kept);  // another GPU
}

TEST(KernelCache, IsWhereTheDesktopSays) {
    const Variable cache("XDG_CACHE_HOME", "/tmp/somewhere");
    EXPECT_EQ(kernel_cache_folder(), "/tmp/somewhere/texelscope/kernels");
    const Variable relative("XDG_CACHE_HOME", "not/absolute");
    const Variable home("HOME", "/home/nobody");
    EXPECT_EQ(kernel_cache_folder(), "/home/nobody/.cache/texelscope/kernels");
}

TEST(KernelCache, ADamagedFileIsNothingAndOldOnesGo) {
    const Folder folder;
    const KernelCache cache(folder.path());
    EXPECT_FALSE(cache.find("key"));
    cache.keep("key", "code");
    EXPECT_EQ(cache.find("key"), "code");
    EXPECT_FALSE(cache.find("another key"));
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        fs::resize_file(entry.path(), fs::file_size(entry.path()) - 1);
        EXPECT_FALSE(cache.find("key"));
        std::ofstream(entry.path(), std::ios::binary) << "nothing of the kind";
        EXPECT_FALSE(cache.find("key"));
    }
    for (size_t i = 0; i < KernelCache::most_files + 20; ++i) cache.keep("key " + std::to_string(i), "code");
    const auto files = std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
    EXPECT_EQ(size_t(files), KernelCache::most_files);
}

TEST(KernelCache, APlaceThatCannotBeWrittenDoesNoHarm) {
    const KernelCache nowhere("/proc/nobody/texelscope");
    nowhere.keep("key", "code");
    EXPECT_FALSE(nowhere.find("key"));
    KernelCache("").keep("key", "code");
}

}  // namespace
}  // namespace texelscope::test
