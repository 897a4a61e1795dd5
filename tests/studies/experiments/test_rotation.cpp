// Repeated rotation against the figures of docs/fidelity.md, and the paper's statement on FIR prefilters.

#include <cmath>

#include "tests/studies/experiments/run.h"

namespace texelscope::test {
namespace {

struct Row {
    const char* name;
    double by_10, by_24;
};
constexpr Row table[] = {{"Nearest neighbour", 22.2, 19.1},
                         {"Bilinear", 16.0, 13.3},
                         {"Catmull–Rom", 10.4, 8.2},
                         {"Cubic B-spline · iir", 7.19, 5.29},
                         {"Cubic B-spline · fir11", 7.10, 5.21},
                         {"Cubic B-spline · fir15", 7.18, 5.28},
                         {"Cubic o-MOMS · iir", 5.08, 3.40},
                         {"Quintic B-spline · iir", 4.46, 2.90}};
constexpr double exact[] = {7.19, 5.29};

void check(const ExperimentResult& result, bool coarse, double absolute_band) {
    const ResultTable& found = result.tables.at(0);
    const double ours = number_at(found, "Cubic B-spline · iir", 1);
    for (const Row& row : table) {
        const double expected = coarse ? row.by_24 : row.by_10, rms = number_at(found, row.name, 1);
        EXPECT_NEAR(rms / ours, expected / exact[coarse], 0.12 * expected / exact[coarse]) << row.name;
        EXPECT_NEAR(rms, expected, absolute_band * expected) << row.name;
        EXPECT_GT(number_at(found, row.name, 2), rms) << "the largest error of " << row.name;
    }
    EXPECT_TRUE(result.all_agree());
    EXPECT_GE(result.verdicts.size(), 10u);
}

TEST(RotationExperiment, SmallImageHasTheOrderAndRatiosOfTheTable) {
    check(run_here("rotation", {{"image", "@natural:256"}, {"turns", "15"}, {"angle", "24"}}), true, 0.6);
}

TEST(SlowRotationExperiment, HasTheFiguresOfTheTable) { check(run_here("rotation"), false, 0.25); }

TEST(RotationExperiment, TheWayThereIsToldTurnByTurn) {
    const ExperimentResult result = run_here(
        "rotation", {{"image", "@natural:128"}, {"turns", "4"}, {"angle", "90"}, {"methods", "bilinear; bspline"}});
    ASSERT_EQ(result.verdicts.size(), 1u);
    EXPECT_EQ(result.verdicts[0].outcome, Verdict::Outcome::open);
    ASSERT_EQ(result.tables.at(1).rows.size(), 4u);
    for (const auto& row : result.tables[1].rows)  // quarter turns fall on samples: nothing is lost
        for (size_t c = 1; c < row.size(); ++c) EXPECT_LT(std::get<double>(row[c]), 255 * 2e-5);
    EXPECT_EQ(result.pictures.size(), 5u);  // the original, two pictures, two residuals
}

TEST(RotationExperiment, WithoutAWholeCircleThereIsNothingToCompare) {
    const ExperimentResult result =
        run_here("rotation", {{"image", "@natural:64"}, {"turns", "3"}, {"angle", "10"}, {"methods", "bilinear"}});
    ASSERT_EQ(result.verdicts.size(), 1u);
    EXPECT_EQ(result.verdicts[0].outcome, Verdict::Outcome::open);
}

TEST(FirTapsExperiment, ConvergesAtElevenTaps) {
    const ExperimentResult result = run_here("fir-taps", {{"image", "@natural:256"}, {"from", "7"}, {"to", "17"}});
    const ResultTable& found = result.tables.at(0);
    const double iir = number_at(found, "iir, exact", 1);
    for (const char* name : {"fir11", "fir13", "fir15", "fir17"})
        EXPECT_NEAR(number_at(found, name, 1), iir, 0.03 * iir) << name;
    EXPECT_GT(number_at(found, "fir7", 1), 1.5 * iir);
    EXPECT_GT(number_at(found, "fir9", 1), 1.05 * iir);
    EXPECT_TRUE(result.all_agree());
}

}  // namespace
}  // namespace texelscope::test
