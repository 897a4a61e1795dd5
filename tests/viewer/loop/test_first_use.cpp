// The message before the GPU's driver compiles a method's kernels.

#include <gtest/gtest.h>

#include "app/viewer/loop/first_use.h"

namespace texelscope::test {
namespace {

FramePlan plan_of(const std::vector<std::string_view>& shown, std::string_view against = "") {
    FramePlan plan;
    for (const std::string_view id : shown) {
        PlannedPicture& item = plan.pictures.emplace_back();
        item.picture.shown.request.spec = default_spec(parse_method(id));
        if (!against.empty()) item.picture.against.emplace().request.spec = default_spec(parse_method(against));
    }
    return plan;
}

TEST(FirstUse, IsAnnouncedOnceForEachMethod) {
    FirstUse first_use;
    first_use.begin(true);
    EXPECT_NE(first_use.announce(plan_of({"bspline"})).find("compiles Cubic B-spline for this GPU"), std::string::npos);
    EXPECT_EQ(first_use.announce(plan_of({"bspline", "bspline"})), "");
    const std::string two = first_use.announce(plan_of({"nearest", "bspline", "lanczos3"}));
    EXPECT_NE(two.find("compiles Nearest neighbour, Lanczos 3 for"), std::string::npos) << two;
    EXPECT_NE(first_use.announce(plan_of({"bspline"}, "bilinear")).find("Bilinear"), std::string::npos);
    EXPECT_EQ(first_use.announce({}), "");
}

TEST(FirstUse, BeginsAnewWithAnotherBackend) {
    FirstUse first_use;
    first_use.begin(true);
    first_use.announce(plan_of({"bspline"}));
    first_use.begin(true);
    EXPECT_NE(first_use.announce(plan_of({"bspline"})), "");
    first_use.begin(false);
    EXPECT_EQ(first_use.announce(plan_of({"bspline", "nearest"})), "") << "its kernels are there";
}

}  // namespace
}  // namespace texelscope::test
