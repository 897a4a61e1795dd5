// A CUDA kernel of one's own on the command line: named by its file or by its content, refused on the CPU and where it is
// wrong, described and compiled without a GPU.

#include <gmock/gmock.h>

#include "gpu/kernels/nvrtc.h"
#include "gpu/method/custom_method.h"
#include "tests/cli/program.h"
#include "tests/support/environment.h"
#include "tests/support/kernel_texts.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

class OwnKernel : public Program {
protected:
    std::string kernel(const std::string& text) const {
        const std::string name = path("my.cu");
        std::ofstream(name) << text;
        return name;
    }
    std::string refusal_of(std::vector<std::string> method) {
        std::vector<std::string> all = {"render", "@zone-plate:64", "-o", path("x.ppm"), "--backend", "cpu"};
        all.insert(all.end(), method.begin(), method.end());
        const Result result = run(all);
        EXPECT_NE(result.status, 0);
        EXPECT_EQ(result.errors.size(), 1u);
        return result.errors.empty() ? "" : result.errors[0];
    }
};

TEST_F(OwnKernel, NeedsCudaHoweverItIsNamed) {
    const std::string file = kernel(bilinear_kernel);
    EXPECT_THAT(refusal_of({"--method-file", file}), HasSubstr("the kernel 'My bilinear' needs CUDA"));
    EXPECT_THAT(refusal_of({"--method", "kernel:file=" + file}), HasSubstr("needs CUDA"));
    EXPECT_THAT(refusal_of({"--method", "kernel:text=" + encoded_text(bilinear_kernel)}), HasSubstr("needs CUDA"));
}

TEST_F(OwnKernel, WhatIsWrongIsSaidWithItsPlace) {
    EXPECT_THAT(refusal_of({"--method-file", kernel(kernel_text("    return *x;"))}),
                HasSubstr("my.cu: line 2, column 12: the dialect has no pointers"));
    EXPECT_THAT(refusal_of({"--method-file", kernel("float4 " + std::string(1000000, 'x'))}),
                HasSubstr("at most 65536 are read"));
    EXPECT_THAT(refusal_of({"--method-file", path("nothing.cu")}), HasSubstr("nothing.cu: cannot be read"));
    EXPECT_THAT(refusal_of({"--method", "kernel"}), HasSubstr("write kernel:file=my.cu"));
    EXPECT_THAT(refusal_of({"--method",
                            "kernel:file=" + kernel("//! parameter a = 1 from 0 to 2\n" + bilinear_kernel) + ",a=3"}),
                HasSubstr("a of kernel must be a number from 0 to 2"));
    EXPECT_THAT(refusal_of({"--method", "kernel:text=%4"}), HasSubstr("%"));
}

TEST_F(OwnKernel, IsDescribedAndCompiledWithoutAGpu) {
    const Variable cache("XDG_CACHE_HOME", path("cache"));
    const std::string file = kernel("//! parameter a = 1 from 0 to 2\n" + bilinear_kernel);
    const std::string page = printed({"methods", "kernel:file=" + file});
    EXPECT_THAT(page, HasSubstr("kernel – My bilinear"));
    EXPECT_THAT(page, HasSubstr("a = 1: A parameter of the kernel. (0 to 2, default 1)"));
    try {
        nvrtc();
    } catch (const Unavailable&) {
        EXPECT_THAT(page, HasSubstr("install libnvrtc"));
        return;
    }
    EXPECT_THAT(page, HasSubstr("bytes for the oldest GPU"));
    EXPECT_FALSE(std::filesystem::is_empty(path("cache") + "/texelscope/kernels"));
    EXPECT_THAT(printed({"methods", "kernel:file=" + kernel(kernel_text("    return nothing;"))}),
                HasSubstr("line 2, column 12: identifier \"nothing\" is undefined"));
}

TEST_F(OwnKernel, WithoutACompilerSaysWhatToInstall) {
    const Variable cache("XDG_CACHE_HOME", path("empty"));  // nothing was compiled before
    const Variable none("TEXELSCOPE_NVRTC", "/nowhere/libnvrtc.so.13");
    const Result result = launch({"methods", "kernel:file=" + kernel(bilinear_kernel)});  // this one may have it by now
    EXPECT_THAT(result.output, HasSubstr("install libnvrtc"));
}

}  // namespace
}  // namespace texelscope::test
