// methods: the list lines up, and the page of a method gives its numbers.

#include <nlohmann/json.hpp>

#include "app/cli/method_page.h"
#include "app/picture/inspect/method_facts.h"
#include "app/text/columns.h"
#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

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

TEST_F(Methods, JsonHasTheWholeRecord) {
    for (const auto& method : nlohmann::json::parse(printed({"methods", "--json"}))) {
        const MethodInfo& info = *find_method(std::string(method.at("id")));
        EXPECT_EQ(method.at("family"), info.family);
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

}  // namespace
}  // namespace texelscope::test
