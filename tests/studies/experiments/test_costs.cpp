// What cost experiments conclude from given times: sound ones, close ones and those of a busy machine.

#include <gtest/gtest.h>

#include "app/studies/experiments/costs.h"

namespace texelscope::test {
namespace {

using enum Verdict::Outcome;

// Its quartiles are `spread` of the median apart.
Timing time_of(double us, double spread = 0.04) { return {us, us * (1 - spread / 2), us * (1 + spread / 2), 9, 1}; }

Verdict prefilter_verdict(const Timing& iir, const Timing& fir) {
    BenchReport report;
    for (const auto& [prefilter, time] : {std::pair{"iir", iir}, {"fir15", fir}}) {
        BenchResult result;
        result.name = std::string("paper/prefilter-2048/f32x1/bspline:prefilter=") + prefilter;
        result.time = time;
        report.results.push_back(result);
    }
    const std::vector<Verdict> verdicts = prefilter_cost_verdicts(report);
    EXPECT_EQ(verdicts.size(), 1u);
    return verdicts.at(0);
}

TEST(PrefilterCostVerdict, FollowsClearTimes) {
    EXPECT_EQ(prefilter_verdict(time_of(12500), time_of(1200)).outcome, agrees);  // the C2050's
    EXPECT_EQ(prefilter_verdict(time_of(1000), time_of(2000)).outcome, differs);
}

TEST(PrefilterCostVerdict, SaysThatTheRecursiveFilterWinsOnlyWhereItDoes) {
    const auto speaks_of_winning = [](const Verdict& verdict) { return verdict.why.find("wins") != std::string::npos; };
    EXPECT_TRUE(speaks_of_winning(prefilter_verdict(time_of(1000), time_of(2000))));
    EXPECT_FALSE(speaks_of_winning(prefilter_verdict(time_of(1050, 0.01), time_of(1000, 0.01))));
    EXPECT_FALSE(speaks_of_winning(prefilter_verdict(time_of(12500), time_of(1200))));
}

TEST(PrefilterCostVerdict, IsOpenOnABusyMachine) {
    const Verdict wide = prefilter_verdict(time_of(12500, 0.8), time_of(1200));
    EXPECT_EQ(wide.outcome, open);
    EXPECT_NE(wide.why.find("the machine is busy: the quartiles are 80 %"), std::string::npos) << wide.why;
    EXPECT_EQ(prefilter_verdict(time_of(1150, 0.3), time_of(1000, 0.3)).outcome, open);  // quartiles overlap
}

// Table 3 of one path, by the view's index: prefilter and interpolation in microseconds beside a bilinear of 1000.
std::vector<Verdict> zoom_verdicts(const std::vector<double>& iir, const std::vector<double>& fir, double interpolation,
                                   double spread = 0.04) {
    std::vector<PaperCost> costs;
    for (size_t k = 0; k < paper_views.size(); ++k)
        for (const char* prefilter : paper_prefilters)
            costs.push_back({&paper_views[k], prefilter, "auto",
                             time_of(prefilter == std::string("iir") ? iir[k] : fir[k], spread),
                             time_of(interpolation, spread), time_of(1000, spread), 0, 0});
    return zoom_cost_verdicts(costs, false);
}

TEST(ZoomCostVerdicts, AgreeWithTimesLikeThePublishedOnes) {
    const auto verdicts = zoom_verdicts({8300, 2000, 510, 130, 30}, {800, 200, 50, 15, 10}, 1300);
    ASSERT_EQ(verdicts.size(), 3u);
    for (const Verdict& verdict : verdicts) EXPECT_EQ(verdict.outcome, agrees) << verdict.expected << verdict.found;
}

// Some 190 times bilinear at ×16 is less than at rotation, but impossible for the prefilter of such a small image.
TEST(ZoomCostVerdicts, ASmallFallOfANonsensicalTimeIsNoAgreement) {
    const auto verdicts = zoom_verdicts({240000, 230000, 220000, 210000, 186000}, {800, 200, 50, 15, 10}, 1300);
    EXPECT_EQ(verdicts.at(0).outcome, open) << verdicts[0].found;
    EXPECT_EQ(verdicts.at(1).outcome, open) << verdicts[1].found;
}

// Both wait for threads equally long, which does not mean that the filters agree.
TEST(ZoomCostVerdicts, EqualWaitingIsNoAgreement) {
    const auto verdicts = zoom_verdicts({30000, 28000, 26000, 25000, 24000}, {900, 800, 700, 600, 24000}, 1300);
    EXPECT_EQ(verdicts.at(1).outcome, open);
    EXPECT_NE(verdicts[1].why.find("dominated by"), std::string::npos) << verdicts[1].why;
    EXPECT_EQ(verdicts.at(2).outcome, open);
}

// Only the waiting at rotation makes the ratio fall.
TEST(ZoomCostVerdicts, WaitingAtRotationIsNoFall) {
    const auto verdicts = zoom_verdicts({24000, 2000, 510, 130, 30}, {800, 200, 50, 15, 10}, 1300);
    EXPECT_EQ(verdicts.at(0).outcome, open) << verdicts[0].found;
}

// A tenth of both at rotation as at ×16; the quartiles of its times are apart, so this is reported.
TEST(ZoomCostVerdicts, APrefilterThatWeighsNoLessDiffers) {
    const auto verdicts = zoom_verdicts({145, 142, 141, 140, 120}, {145, 142, 141, 140, 120}, 1300);
    EXPECT_EQ(verdicts.at(0).outcome, differs) << verdicts[0].found;
    EXPECT_EQ(verdicts.at(1).outcome, agrees);
}

TEST(ZoomCostVerdicts, AreOpenOnABusyMachine) {
    for (const Verdict& verdict : zoom_verdicts({8300, 2000, 510, 130, 30}, {800, 200, 50, 15, 10}, 1300, 0.7)) {
        EXPECT_EQ(verdict.outcome, open) << verdict.expected;
        EXPECT_NE(verdict.why.find("the machine is busy"), std::string::npos);
    }
    // 2.2 is between what the quartiles allow.
    EXPECT_EQ(zoom_verdicts({8300, 2000, 510, 130, 30}, {850, 200, 50, 15, 10}, 1300, 0.1).at(2).outcome, open);
}

}  // namespace
}  // namespace texelscope::test
