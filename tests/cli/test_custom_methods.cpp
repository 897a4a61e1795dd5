// A weight function of one's own on the command line: by --method-file and by custom:file=, with the picture of the
// built-in method that has the same weights; what is wrong with it, in one line.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

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
    const Result none = run({"experiment", "convergence", "--method-file", path("none.weights")});
    EXPECT_NE(none.status, 0);
    EXPECT_EQ(none.errors.size(), 1u);
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

}  // namespace
}  // namespace texelscope::test
