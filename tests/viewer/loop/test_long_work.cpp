// Which pictures say beforehand that they are computed.

#include <gtest/gtest.h>

#include "app/viewer/loop/long_work.h"

namespace texelscope::test {
namespace {

FramePlan plan_of(int panes, std::string_view method, bool differences = false) {
    FramePlan plan;
    for (int i = 0; i < panes; ++i) {
        PlannedPicture& item = plan.pictures.emplace_back();
        item.pane = i;
        item.picture.shown.request.spec = default_spec(parse_method(method));
        item.picture.shown.request.width = 300;
        item.picture.shown.request.height = 200;
        if (!differences) continue;
        item.picture.against = item.picture.shown;
        item.picture.against->float64 = true;
    }
    return plan;
}

TEST(LongWork, IsExpectedOfDifferencesInManyPanes) {
    LongWork work;
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true))) << "nothing is known of this machine yet";
    work.took(plan_of(16, "bspline"), 100);
    EXPECT_TRUE(work.expects(plan_of(16, "bspline", true)));
    EXPECT_FALSE(work.expects(plan_of(1, "bspline", true)));
    work.took(plan_of(16, "bspline", true), 1400);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline"))) << "without them it is short";
}

TEST(LongWork, IsNotExpectedOfReferencesThatAreComputedBesideTheWindow) {
    LongWork work(true);
    work.took(plan_of(16, "bspline"), 100);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true)));
    work.took(plan_of(16, "bspline"), 250);
    EXPECT_TRUE(work.expects(plan_of(16, "lanczos4"))) << "twice the taps along each axis";
}

TEST(LongWork, IsNotExpectedOfAFastMachine) {
    LongWork work;
    work.took(plan_of(16, "bspline"), 4);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true)));
}

TEST(LongWork, IsNotExpectedOfAMotion) {
    LongWork work;
    FramePlan plan = plan_of(16, "bspline", true);
    work.took(plan, 2000);
    for (PlannedPicture& item : plan.pictures) item.picture.shown.request.view.scale = 0.5;
    EXPECT_FALSE(work.expects(plan));
    EXPECT_TRUE(work.expects(plan_of(16, "lanczos3", true)));
}

}  // namespace
}  // namespace texelscope::test
