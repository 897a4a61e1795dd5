// Compiling kernels without a GPU: NVRTC is found or not, its log becomes sentences at the text's own lines, and what has
// been compiled is found again by its content. Tests that need the compiler are skipped without it.

#include <gmock/gmock.h>

#include <filesystem>

#include "gpu/kernels/kernel_code.h"
#include "gpu/kernels/nvrtc.h"
#include "tests/support/environment.h"
#include "tests/support/kernel_texts.h"
#include "tests/support/refusal.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Folder {
public:
    Folder() : path(fs::path(::testing::TempDir()) / ("kernels-" + std::to_string(::getpid()))) {
        fs::remove_all(path);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path path;
};

KernelFile parsed(const std::string& text) {
    ParsedKernel result = parse_kernel(text);
    EXPECT_TRUE(result.problems.empty()) << to_string(result.problems.front());
    return result.file;
}

class Compiling : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            nvrtc();
        } catch (const Unavailable& error) {
            GTEST_SKIP() << error.what();
        }
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

TEST(NvrtcLibrary, AnotherLibraryIsNoCompiler) { EXPECT_REFUSED(Nvrtc("libm.so.6"), "it has no nvrtcVersion"); }

TEST(NvrtcLibrary, IsLookedForInToolkitsAfterTheLoadersPlaces) {
    const Folder folder;
    fs::create_directories(folder.path / "lib64");
    const fs::path file = folder.path / "lib64" / "libnvrtc.so.12";
    fs::copy_file("/proc/self/exe", file);
    const Variable set("CUDA_PATH", folder.path.string());
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
    const KernelCache cache(folder.path);
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
    const KernelCache cache(folder.path);
    EXPECT_FALSE(cache.find("key"));
    cache.keep("key", "code");
    EXPECT_EQ(cache.find("key"), "code");
    EXPECT_FALSE(cache.find("another key"));
    for (const auto& entry : fs::directory_iterator(folder.path)) {
        fs::resize_file(entry.path(), fs::file_size(entry.path()) - 1);
        EXPECT_FALSE(cache.find("key"));
        std::ofstream(entry.path(), std::ios::binary) << "nothing of the kind";
        EXPECT_FALSE(cache.find("key"));
    }
    for (size_t i = 0; i < KernelCache::most_files + 20; ++i) cache.keep("key " + std::to_string(i), "code");
    const auto files = std::distance(fs::directory_iterator(folder.path), fs::directory_iterator());
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
