// The methods on the command line: built-in ones, weight functions and kernels of one's own.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "app/cli/command_line.h"
#include "app/picture/inspect/curves.h"
#include "app/text/text.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"
#include "tests/cli/program.h"
#include "tests/support/kernels.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// methods: the list lines up, and the page of a method gives its numbers.

class Methods : public Program {};

TEST_F(Methods, TheListLinesUp) {
    std::istringstream lines(printed({"methods"}));
    std::string line;
    std::getline(lines, line);
    const size_t end_of_orders = line.find("order") + 5;
    for (const MethodInfo* method : all_methods()) {
        ASSERT_TRUE(std::getline(lines, line));
        EXPECT_TRUE(line.starts_with(std::string(method->id) + " "));
        const std::string order = std::to_string(method->order);
        const size_t at = line.find(" " + order + "  ", end_of_orders - 3);
        ASSERT_NE(at, line.npos) << line;
        EXPECT_EQ(columns_of(line.substr(0, at)), end_of_orders - order.size() - 1) << line;
    }
}

// What a file defines is no record, but can be named wherever the others can.
TEST_F(Methods, FormsForFilesAreListedBesideTheMethods) {
    for (const std::string& text :
         {printed({"methods"}), printed({"render", "--help"}), printed({"methods", "--help"})})
        for (const char* form : {"custom:file=FILE", "kernel:file=FILE"})
            EXPECT_NE(text.find(form), std::string::npos) << form << '\n' << text;
    const std::string list = printed({"methods"});
    EXPECT_NE(list.find("\ncustom:file=FILE\n  A weight function of one's own"), std::string::npos) << list;
    expect_error(2, {"methods", "no-such"},
                 {"choose one of nearest, ", "mks2021, custom:file=FILE, kernel:file=FILE or like:LIBRARY/FUNCTION"});
}

TEST_F(Methods, JsonHasTheWholeRecord) {
    for (const auto& method : nlohmann::json::parse(printed({"methods", "--json"}))) {
        const MethodInfo& info = *find_method(std::string(method.at("id")));
        EXPECT_EQ(method.at("family"), info.family);
        EXPECT_EQ(method.at("group"), name_of(info.group));
        EXPECT_EQ(method.at("smoothness"), info.smoothness);
        EXPECT_EQ(method.at("slope"), info.slope != nullptr);
        EXPECT_EQ(method.at("slope"), info.smoothness >= 1 && !is_polar(info));
    }
    EXPECT_EQ(nlohmann::json::parse(printed({"methods", "bspline", "--json"})).at("order"), 4);
}

// The BC family passes through the samples if b = 0, whatever c; at b = 1/3 the sample's own tap weighs 8/9.
TEST_F(Methods, WhetherItPassesThroughTheSamplesDependsOnTheParameters) {
    const auto says = [&](const std::string& spec, const std::string& words) {
        return printed({"methods", spec}).find(words) != std::string::npos;
    };
    const auto json = [&](const std::string& spec) {
        return nlohmann::json::parse(printed({"methods", spec, "--json"})).at("interpolating").get<bool>();
    };
    for (const char* spec : {"bc:b=0,c=0.5", "bc:b=0,c=0.2"}) {
        EXPECT_TRUE(json(spec)) << spec;
        EXPECT_FALSE(says(spec, "does not pass through")) << spec;
        EXPECT_TRUE(says(spec, "(with the default parameters)")) << spec;
    }
    EXPECT_FALSE(json("bc:b=0.3333,c=0.3333"));
    EXPECT_TRUE(says("bc:b=0.3333,c=0.3333", "does not pass through"));
    for (const MethodInfo* method : all_methods()) {
        EXPECT_EQ(json(std::string(method->id)), method->interpolating) << method->id;
        EXPECT_FALSE(says(std::string(method->id), "default parameters")) << method->id;
    }
}

// The tutorial's check. B-spline: at t = 0 the weights are 1/6, 4/6, 1/6, 0, so that h̃0 runs from 4/5 up to 1 and h̃1,
// its mirror image, from 0 up to 1/5. Catmull–Rom: the outer weights are negative, so that h̃0 ≥ 1 and h̃1 ≤ 0.
TEST_F(Methods, FetchFractionsLieInTheUnitIntervalForTheBSplineAlone) {
    const FetchFractions smooth = *fetch_fractions(parse_spec("bspline"));
    EXPECT_DOUBLE_EQ(smooth.h0.minimum, 0.8);
    EXPECT_NEAR(smooth.h0.maximum, 1, 1e-9);
    EXPECT_LE(smooth.h0.maximum, 1);
    EXPECT_EQ(smooth.h1.minimum, 0);
    EXPECT_NEAR(smooth.h1.maximum, 0.2, 1e-3);
    const FetchFractions sharp = *fetch_fractions(parse_spec("catmull-rom"));
    // h̃0 = (1 + t − 1.5t²) / (1 + t/2 − t²) has its maximum at t = 2 − √2.
    EXPECT_NEAR(sharp.h0.maximum, 1.127740, 1e-5);
    EXPECT_NEAR(sharp.h1.minimum, 1 - 1.127740, 1e-5);
    EXPECT_FALSE(sharp.h0.possible() || sharp.h1.possible());
    EXPECT_FALSE(fetch_fractions(parse_spec("bilinear")));

    const std::string yes = printed({"methods", "bspline"}), no = printed({"methods", "catmull-rom"});
    EXPECT_NE(yes.find("from 0.800000 to 1.000000   in [0, 1]"), std::string::npos) << yes;
    EXPECT_NE(yes.find("Both lie in [0, 1]: yes."), std::string::npos);
    EXPECT_NE(no.find("not in [0, 1]"), std::string::npos);
    EXPECT_NE(no.find("They do not both lie in [0, 1]: no."), std::string::npos);
}

TEST_F(Methods, ThePageHasWeightsAndFetches) {
    const std::string page = printed({"methods", "bspline"});
    // t = 1/2: 1/48, 23/48, 23/48, 1/48; two fetches of ½ at −1/24 and 25/24
    EXPECT_NE(page.find("0.500  0.020833  0.479167  0.479167  0.020833"), std::string::npos) << page;
    EXPECT_NE(page.find("0.500    0.50000 -0.04167    0.50000  1.04167"), std::string::npos) << page;
    for (const MethodInfo* method : all_methods())
        EXPECT_NE(printed({"methods", std::string(method->id)}).find("Weights of the taps"), std::string::npos);
    EXPECT_NE(printed({"methods", "bc:b=1,c=0"}).find("Both lie in [0, 1]: yes."), std::string::npos);  // the B-spline
    expect_error(2, {"methods", "cubic"}, {"cubic", "bspline"});
}

using ::testing::HasSubstr;

// A weight function of one's own on the command line: by --method-file and by custom:file=, with the picture of the
// built-in method that has the same weights; what is wrong with it, in one line.

class CustomMethodFile : public Program {
protected:
    std::string weights(const std::string& text) const {
        const std::string name = path("my.weights");
        std::ofstream(name) << text;
        return name;
    }
};

const std::string catmull_rom =
    "name = Mine\nradius = 2\nparameter a = -0.5 from -1 to 0\n"
    "w(x) = abs(x) < 1 ? (a+2)*abs(x)^3 - (a+3)*x^2 + 1 : a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)\n";

TEST_F(CustomMethodFile, EveryWayToNameItGivesTheSamePicture) {
    const std::string file = weights(catmull_rom);
    const auto render = [&](const std::string& out, std::vector<std::string> method) {
        std::vector<std::string> all = {"render", "@zone-plate:64", "-o", path(out), "--zoom",
                                        "3.3",    "--backend",      "cpu"};
        all.insert(all.end(), method.begin(), method.end());
        printed(all);
        std::ifstream in(path(out), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::string own = render("a.ppm", {"--method-file", file});
    EXPECT_FALSE(own.empty());
    EXPECT_EQ(own, render("b.ppm", {"--method", "custom:file=" + file}));
    EXPECT_EQ(own, render("c.ppm", {"--method", "catmull-rom"}));
    EXPECT_NE(own, render("d.ppm", {"--method", "custom:file=" + file + ",a=-1"}));
}

TEST_F(CustomMethodFile, ComparesAndIsDescribed) {
    const std::string file = weights(catmull_rom);
    const auto json = nlohmann::json::parse(
        printed({"compare", "@zone-plate:64", "--panes", "custom:file=" + file + "; catmull-rom", "--reference",
                 "catmull-rom", "--zoom", "2", "--backend", "cpu", "--json", "-"}));
    EXPECT_LT(json.at("panes").at(0).at("max_abs").get<double>(), 2e-6);
    const std::string page = printed({"methods", "custom:file=" + file});
    EXPECT_THAT(page, HasSubstr("Catmull–Rom"));  // equals
    EXPECT_THAT(page, HasSubstr("1 at every phase"));
    EXPECT_THAT(page, HasSubstr("0.01604·h^3"));
}

// Wherever methods are named, with the same result as for the built-in method of the same weights.
TEST_F(CustomMethodFile, ComparesByItsFileBeforeOtherPanes) {
    const std::string file = weights(catmull_rom);
    const auto panes = [&](std::vector<std::string> more) {
        std::vector<std::string> all = {"compare", "@zone-plate:64", "--method-file", file,     "--zoom",
                                        "2",       "--backend",      "cpu",           "--json", "-"};
        all.insert(all.end(), more.begin(), more.end());
        return nlohmann::json::parse(printed(all)).at("panes");
    };
    const auto two = panes({"--panes", "catmull-rom"});
    ASSERT_EQ(two.size(), 2u);
    EXPECT_NEAR(two[0].at("psnr").get<double>(), two[1].at("psnr").get<double>(), 1e-3);
    EXPECT_EQ(panes({}).size(), 5u) << "besides the four usual ones";
    const auto restored =
        nlohmann::json::parse(printed({"compare", "@natural:64", "--method-file", file, "--panes", "catmull-rom",
                                       "--restore", "2", "--backend", "cpu", "--json", "-"}));
    EXPECT_EQ(restored.at("methods").size(), 2u);
    std::string sixteen = "bilinear";
    for (int n = 1; n < 16; ++n) sixteen += "; bilinear";
    const Result many = run({"compare", "@zone-plate:64", "--method-file", file, "--panes", sixteen});
    EXPECT_EQ(many.status, 2);
    ASSERT_EQ(many.errors.size(), 1u);
    EXPECT_THAT(many.errors[0], HasSubstr("with --method-file there are 17"));
}

TEST_F(CustomMethodFile, IsMeasuredAndTakesPartInExperiments) {
    const std::string file = weights(catmull_rom);
    const auto bench =
        nlohmann::json::parse(printed({"bench", "--method-file", file, "--only", "render", "--case", "/rotate/f32x1",
                                       "--size", "32x18", "--source", "64", "--backend", "cpu", "--json", "-"}));
    EXPECT_THAT(bench.dump(), HasSubstr("custom:"));
    EXPECT_THAT(bench.dump(), HasSubstr("bilinear"));  // for comparison
    const auto experiment = printed({"experiment", "convergence", "--method-file", file, "--methods", "catmull-rom",
                                     "--finest", "32", "--backend", "cpu", "--json", "-"});
    EXPECT_THAT(experiment, HasSubstr("Mine"));
    expect_error(1, {"experiment", "convergence", "--method-file", path("none.weights")},
                 {"none.weights: no such file"});
}

TEST_F(CustomMethodFile, SamplesAndWarps) {
    const std::string file = weights(catmull_rom), points = path("points.csv");
    std::ofstream(points) << "x,y\n3.25,4.5\n-1,70\n20.125,7.75\n";
    const auto values = [&](std::vector<std::string> method) {
        std::vector<std::string> all = {"sample", "@zone-plate:64", "--at", points, "--backend", "cpu"};
        all.insert(all.end(), method.begin(), method.end());
        return printed(all);
    };
    const std::string own = values({"--method-file", file});
    EXPECT_EQ(own, values({"--method", "catmull-rom"}));
    EXPECT_NE(own, values({"--method", "bilinear"}));
    const auto warped = [&](const std::string& out, std::vector<std::string> method) {
        std::vector<std::string> all = {"warp", "@zone-plate:64", "--map",     "@swirl:40",
                                        "-o",   path(out),        "--backend", "cpu"};
        all.insert(all.end(), method.begin(), method.end());
        printed(all);
        std::ifstream in(path(out), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::string swirled = warped("a.ppm", {"--method-file", file});
    EXPECT_FALSE(swirled.empty());
    EXPECT_EQ(swirled, warped("b.ppm", {"--method", "catmull-rom"}));
}

TEST_F(CustomMethodFile, WhatIsWrongIsSaidWithItsPlace) {
    const Result wrong =
        run({"render", "@zone-plate:64", "-o", path("x.ppm"), "--method-file", weights("radius = 2\nw(x) = foo(x)\n")});
    EXPECT_NE(wrong.status, 0);
    ASSERT_EQ(wrong.errors.size(), 1u);
    EXPECT_THAT(wrong.errors[0], HasSubstr("line 2, column 8: unknown word 'foo'"));
    EXPECT_NE(run({"methods", "custom"}).status, 0);
    const Result both = run({"render", "@zone-plate:64", "-o", path("x.ppm"), "--method-file", weights(catmull_rom),
                             "--method", "bspline"});
    EXPECT_EQ(both.status, 2);
}

// A CUDA kernel of one's own on the command line: named by its file or by its content, refused where it is wrong, described and
// compiled without a GPU.

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

TEST_F(OwnKernel, GivesThePictureOfTheBuiltInMethodHoweverItIsNamed) {
    const auto picture = [&](const std::vector<std::string>& method) {
        std::vector<std::string> all = {"render", "@zone-plate:64", "-o", path("x.ppm"), "--zoom",
                                        "3",      "--backend",      "cpu"};
        all.insert(all.end(), method.begin(), method.end());
        const Result result = run(all);
        EXPECT_EQ(result.status, 0) << (result.errors.empty() ? "" : result.errors[0]);
        std::ifstream file(path("x.ppm"), std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    };
    const std::string file = kernel(bilinear_kernel), expected = picture({"--method", "bilinear"});
    const auto worst = [&](const std::vector<std::string>& method) {
        const std::string found = picture(method);
        EXPECT_EQ(found.size(), expected.size());
        int most = 0;  // a value may be rounded to the other side
        for (size_t k = 0; k < std::min(found.size(), expected.size()); ++k)
            most = std::max(most, std::abs(int((unsigned char)found[k]) - int((unsigned char)expected[k])));
        return most;
    };
    EXPECT_LE(worst({"--method-file", file}), 1);
    EXPECT_LE(worst({"--method", "kernel:file=" + file}), 1);
    EXPECT_LE(worst({"--method", "kernel:text=" + encoded_text(bilinear_kernel)}), 1);
    EXPECT_GT(worst({"--method", "nearest"}), 1);
}

TEST_F(OwnKernel, ThatIsStoppedWritesNoPicture) {
    const std::string file = kernel(kernel_text("    for (;;) x += 1e-9;\n    return s.tap(0, 0);"));
    EXPECT_THAT(refusal_of({"--method-file", file}), HasSubstr("its loops take more than 65536 turns"));
    EXPECT_FALSE(std::filesystem::exists(path("x.ppm")));
}

TEST_F(OwnKernel, WhatIsWrongIsSaidWithItsPlace) {
    EXPECT_THAT(refusal_of({"--method-file", kernel(kernel_text("    return *x;"))}),
                HasSubstr("my.cu: line 2, column 12: the dialect has no pointers"));
    EXPECT_THAT(refusal_of({"--method-file", kernel("float4 " + std::string(1000000, 'x'))}),
                HasSubstr("at most 65536 are read"));
    EXPECT_THAT(refusal_of({"--method-file", kernel(kernel_text("    return nothing;"))}),
                HasSubstr("line 2, column 12: identifier \"nothing\" is undefined"));
    EXPECT_THAT(refusal_of({"--method-file", path("nothing.cu")}), HasSubstr("nothing.cu: no such file"));
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
    EXPECT_THAT(page, HasSubstr("instructions, "));
    EXPECT_THAT(printed({"methods", "kernel:file=" + kernel(kernel_text("    return nothing;"))}),
                HasSubstr("line 2, column 12: identifier \"nothing\" is undefined"));
    try {
        nvrtc();
    } catch (const Unavailable&) {
        EXPECT_THAT(page, HasSubstr("install libnvrtc"));
        return;
    }
    EXPECT_THAT(page, HasSubstr("bytes for the oldest GPU"));
    EXPECT_FALSE(std::filesystem::is_empty(path("cache") + "/texelscope/kernels"));
}

TEST_F(OwnKernel, WithoutACompilerSaysWhatToInstall) {
    const Variable cache("XDG_CACHE_HOME", path("empty"));  // nothing was compiled before
    const Variable none("TEXELSCOPE_NVRTC", "/nowhere/libnvrtc.so.13");
    const Result result = launch({"methods", "kernel:file=" + kernel(bilinear_kernel)});  // this one may have it by now
    EXPECT_THAT(result.output, HasSubstr("install libnvrtc"));
}

}  // namespace
}  // namespace texelscope::test
