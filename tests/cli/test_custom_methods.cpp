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
