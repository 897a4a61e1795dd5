// What the experiments find, against theory and published figures.

#include <gtest/gtest.h>

#include <cmath>

#include "app/studies/experiments/experiment.h"
#include "tests/studies/experiments/run.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// What the experiments find, against theory and published figures.

TEST(ConvergenceExperiment, OrdersAndConstantsAreTheTheorys) {
    const ResultTable found = run_here("convergence").tables.at(0);
    struct Row {
        const char* name;
        double order, largest, mean_square_root, tolerance;
    };
    constexpr Row table[] = {
        {"Nearest neighbour", 1, 0.5, 0.2887, 0.01},      {"Bilinear", 2, 0.125, 0.0913, 0.01},
        {"Catmull–Rom", 3, 0.01604, 0.01150, 0.01},       {"Cubic B-spline · no prefilter", 2, 1.0 / 6, 1.0 / 6, 0.01},
        {"Cubic B-spline", 4, 1.0 / 384, 1.660e-3, 0.02}, {"Cubic o-MOMS", 4, 8.49e-4, 6.27e-4, 0.02},
        {"Quintic B-spline", 6, 6.51e-5, 4.03e-5, 0.1}};
    for (const Row& row : table) {
        EXPECT_NEAR(number_at(found, row.name, 1), row.order, 0.1) << row.name;
        EXPECT_NEAR(number_at(found, row.name, 3), row.largest, row.tolerance * row.largest) << row.name;
        EXPECT_NEAR(number_at(found, row.name, 5), row.mean_square_root, row.tolerance * row.mean_square_root)
            << row.name;
    }
}

TEST(ConvergenceExperiment, HalvingTheDistanceDividesTheErrorByTwoToTheOrder) {
    const ExperimentResult result = run_here("convergence", {{"methods", "bilinear; bspline"}, {"finest", "32"}});
    const auto& rows = result.tables.at(1).rows;
    const auto at = [&](double period, size_t column) {
        for (const auto& row : rows)
            if (std::abs(std::get<double>(row[0]) / period - 1) < 1e-6) return std::get<double>(row[column]);
        ADD_FAILURE() << "no period " << period;
        return 0.0;
    };
    EXPECT_NEAR(at(16, 1) / at(32, 1), 4, 0.05);
    EXPECT_NEAR(at(16, 2) / at(32, 2), 16, 1);
}

// Seven taps leave an error of order 2, whose constant follows from their second moment.
TEST(ConvergenceExperiment, ATruncatedPrefilterEndsAtOrderTwo) {
    const ExperimentResult result = run_here("convergence", {{"methods", "bspline:prefilter=fir7"}});
    const auto& row = result.tables.at(0).rows.at(0);
    // Weights w(k) = z^|k| / Σ z^|k|: the filter's response is 1 − ω²/2 Σ k² w(k), the spline's is 1 − ω²/6.
    double sum = 0, moment = 0;
    for (int k = -3; k <= 3; ++k) {
        const double weight = std::pow(std::sqrt(3.0) - 2, std::abs(k));
        sum += weight, moment += k * k * weight;
    }
    const double constant = std::abs(moment / sum / 2 + 1.0 / 6);
    EXPECT_NEAR(std::get<double>(row[1]), 2, 0.05);
    EXPECT_NEAR(std::get<double>(row[3]), constant, 0.02 * constant);
    ASSERT_EQ(result.verdicts.size(), 1u);
    EXPECT_EQ(result.verdicts[0].outcome, Verdict::Outcome::open);  // no theory is given for it
}

TEST(ConvergenceExperiment, AVerdictSaysHowFarTheoryMayBeOff) {
    const ExperimentResult result = run_here("convergence", {{"methods", "bilinear; quintic"}, {"finest", "32"}});
    EXPECT_NE(result.verdicts.at(0).expected.find("order 2 to 0.1, C = 0.125 to 2 %"), std::string::npos)
        << result.verdicts.at(0).expected;
    EXPECT_NE(result.verdicts.at(1).expected.find("order 6 to 0.1, C = 6.51e-05 to 10 %"), std::string::npos)
        << result.verdicts.at(1).expected;
    EXPECT_NE(result.verdicts.at(1).why.find("rounding"), std::string::npos) << result.verdicts.at(1).why;
}

// Sixteen samples per period are far from the limit of a windowed sinc.
TEST(ConvergenceExperiment, NoOrderIsClaimedFarFromTheLimit) {
    const ExperimentResult result = run_here("convergence", {{"methods", "lanczos3; bilinear"}, {"finest", "16"}});
    const auto& row = result.tables.at(0).rows.at(0);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(row[1]));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(row[3]));
    EXPECT_EQ(result.verdicts.at(0).outcome, Verdict::Outcome::open);
    EXPECT_EQ(result.verdicts.at(1).outcome, Verdict::Outcome::agrees);
    int named = 0;
    for (const Series& series : result.plots.at(0).series) named += series.name == "theory";
    EXPECT_EQ(named, 1);
}

TEST(WeightsExperiment, TheFractionHasEightBits) {
    const ExperimentResult result = run_here("weights");
    const ResultTable& found = result.tables.at(0);
    EXPECT_EQ(number_at(found, "Bilinear", 1), 257);
    EXPECT_NEAR(number_at(found, "Bilinear", 2), 1.0 / 512, 1e-6);
    // The fetch with the texel of 1 weighs 1/6 to 5/6.
    EXPECT_GT(number_at(found, "Cubic B-spline · no prefilter", 3), 0.7);
    EXPECT_LE(number_at(found, "Cubic B-spline · no prefilter", 3), 5.0 / 6 + 0.001);
    EXPECT_GT(number_at(found, "Catmull–Rom", 3), 1);  // its middle fetch weighs 1.125
    EXPECT_LE(number_at(found, "Catmull–Rom", 3), 1.126);
    EXPECT_TRUE(result.all_agree());
}

TEST(MinificationExperiment, AntialiasingTakesTheMoireAway) {
    const ExperimentResult result = run_here("minification", {{"methods", "nearest; lanczos3"}});
    for (const auto& row : result.tables.at(0).rows) {
        const double scale = std::get<double>(row[1]), without = std::get<double>(row[2]),
                     with = std::get<double>(row[3]);
        if (std::get<std::string>(row[0]) == "Nearest neighbour") {
            EXPECT_NEAR(without, std::sqrt(0.125), 0.02) << scale;  // samples of ½ cos, whatever their distance
        }
        EXPECT_LT(with, without) << scale;
    }
    EXPECT_TRUE(result.all_agree());
}

// Without its prefilter the B-spline blurs, so there is no claim that it passes through the samples.
TEST(MinificationExperiment, OnlyWhatPassesThroughSamplesIsAsStrongAsThePlate) {
    const auto verdicts = [](const char* methods) {
        return run_here("minification", {{"methods", methods}, {"size", "128"}}).verdicts.size();
    };
    EXPECT_EQ(verdicts("bspline:prefilter=none"), 1u);
    EXPECT_EQ(verdicts("bspline"), 2u);
    EXPECT_EQ(verdicts("bilinear"), 2u);
}

// Published milliseconds come from the paper's table 3, in its order.
TEST(SlowCostExperiments, TableThreeStandsBesideTheFiguresOfThePaper) {
    const ResultTable found = run_here("zoom-cost", {{"side", "64"}}).tables.at(0);
    constexpr double fir15[] = {3.2, 2.33, 2.12, 2.05, 2.04}, iir[] = {14.5, 5.16, 2.8, 2.2, 2.08};
    ASSERT_EQ(found.rows.size(), 5u * 2 * 3);
    for (size_t k = 0; k < found.rows.size(); ++k) {
        const auto& row = found.rows[k];
        const bool is_iir = std::get<std::string>(row[1]) == "iir";
        EXPECT_EQ(std::get<double>(row[8]), (is_iir ? iir : fir15)[k / 6]);
        const double bilinear = std::get<double>(row[3]), prefilter = std::get<double>(row[4]);
        const double interpolation = std::get<double>(row[5]), both = std::get<double>(row[6]);
        EXPECT_GT(bilinear, 0);
        EXPECT_NEAR(both, prefilter + interpolation, 1e-9 * both);
        EXPECT_NEAR(std::get<double>(row[7]), both / bilinear, 1e-9 * both / bilinear);
    }
}

TEST(SlowCostExperiments, TablesOneAndTwoStandBesideTheFiguresOfThePaper) {
    const ExperimentResult result = run_here("prefilter-cost");
    ASSERT_EQ(result.tables.at(0).rows.size(), 4u);
    const double gtx[] = {12.78, 2.9, 62.6, 11.15}, tesla[] = {5.52, 0.35, 12.506, 1.2};
    for (size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(std::get<double>(result.tables[0].rows[k][2]), gtx[k]);
        EXPECT_EQ(std::get<double>(result.tables[0].rows[k][3]), tesla[k]);
        EXPECT_GT(std::get<double>(result.tables[0].rows[k][4]), 0);
    }
    EXPECT_EQ(std::get<double>(result.tables.at(1).rows[0][1]), 10.2);
    EXPECT_EQ(result.verdicts.size(), 2u);
}

TEST(SlowCostExperiments, TheResizeTableStandsBesideThePublishedOne) {
    const ExperimentResult result = run_here("resize-cost");
    int published = 0;
    for (const auto& row : result.tables.at(0).rows)
        if (const double* ms = std::get_if<double>(&row[6])) {
            EXPECT_EQ(std::get<std::string>(row[2]), "whole-call");
            EXPECT_EQ(*ms, std::get<std::string>(row[1]) == "nearest" ? 1.61 : 10.71);
            ++published;
        }
    EXPECT_EQ(published, 2);
    EXPECT_EQ(result.verdicts.at(0).outcome, Verdict::Outcome::open);  // the CPU backend has no GPU to compute on
}

// Every one of them, stopped at its second step.
TEST(Experiments, EndWhereTheyAreCancelled) {
    for (const Experiment& experiment : all_experiments()) {
        Steps steps(1);
        EXPECT_THROW(run_experiment(experiment, ExperimentOptions(experiment.options), make_cpu_backend(), steps),
                     Cancelled)
            << experiment.name;
        EXPECT_EQ(steps.steps(), 2) << experiment.name;
    }
}

TEST(Experiments, ShowPicturesOnTheirWay) {
    const Experiment& experiment = find_experiment("rotation");
    ExperimentOptions options(experiment.options);
    options.set("image", "@natural:32");
    options.set("turns", "3");
    options.set("methods", "nearest; bilinear");
    Steps steps;
    run_experiment(experiment, options, make_cpu_backend(), steps);
    EXPECT_EQ(steps.pictures(), 4);  // from the second turn on, before each method's
}

std::string refusal(std::string_view experiment, std::string_view option, const std::string& text) {
    return test::refusal<UsageError>([&] { ExperimentOptions(find_experiment(experiment).options).set(option, text); });
}

TEST(Experiments, RefuseOptionsInOneSentence) {
    EXPECT_EQ(refusal("rotation", "turns", "0"), "--turns must be from 1 to 1000, not '0'");
    EXPECT_EQ(refusal("rotation", "turns", "2.5"), "--turns must be a whole number, not '2.5'");
    EXPECT_EQ(refusal("rotation", "turns", "many"), "--turns must be a finite number, not 'many'");
    EXPECT_EQ(refusal("rotation", "angle", "400"), "--angle must be from -360 to 360, not '400'");
    EXPECT_EQ(refusal("rotation", "methods", "bilinear;;bspline"),
              "--methods 'bilinear;;bspline' has an empty part; write SPEC; SPEC; …");
    EXPECT_TRUE(refusal("rotation", "methods", "bilinera").starts_with("--methods: unknown method 'bilinera'"));
    EXPECT_NE(refusal("rotation", "image", "@nothing"), "");
    EXPECT_EQ(refusal("rotation", "size", "3"), "this experiment has no option --size");
    EXPECT_EQ(refusal("rotation", "turns", "15"), "");
}

TEST(Experiments, StandardOptionsAreAllowedOnes) {
    for (const Experiment& experiment : all_experiments())
        for (const ExperimentOption& option : experiment.options)
            EXPECT_EQ(refusal(experiment.name, option.name, std::string(option.standard)), "")
                << experiment.name << " --" << option.name;
}

// Repeated rotation against the figures of docs/fidelity.md, and the paper's statement on FIR prefilters.

struct Row {
    const char* name;
    double by_10, by_24;
};
constexpr Row table[] = {{"Nearest neighbour", 22.2, 19.1},
                         {"Bilinear", 16.0, 13.3},
                         {"Catmull–Rom", 10.4, 8.2},
                         {"Cubic B-spline", 7.19, 5.29},
                         {"Cubic B-spline · prefilter of 11 taps", 7.10, 5.21},
                         {"Cubic B-spline · prefilter of 15 taps", 7.18, 5.28},
                         {"Cubic o-MOMS", 5.08, 3.40},
                         {"Quintic B-spline", 4.46, 2.90}};
constexpr double exact[] = {7.19, 5.29};

void check(const ExperimentResult& result, bool coarse, double absolute_band) {
    const ResultTable& found = result.tables.at(0);
    const double ours = number_at(found, "Cubic B-spline", 1);
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

using enum Verdict::Outcome;

// What cost experiments conclude from given times: sound ones, close ones and those of a busy machine.

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

TEST(Results, TheWindowNamesOptionsWithoutDashes) {
    EXPECT_EQ(without_dashes("--turns must be from 1 to 1000, not '0'"), "turns must be from 1 to 1000, not '0'");
    EXPECT_EQ(without_dashes("--to must be above --from"), "to must be above from");
    EXPECT_EQ(without_dashes("a -- b--c --3 (--finest) --"), "a -- b--c --3 (finest) --");
}

TEST(Results, CsvQuotesWhatNeedsIt) {
    const ResultTable table{
        .title = "t", .columns = {{"a, b"}, {"time", "ms"}}, .rows = {{std::string("say \"x\""), 0.1}, {{}, 1e-7}}};
    EXPECT_EQ(table_as_csv(table), "\"a, b\",time (ms)\n\"say \"\"x\"\"\",0.1\n,1e-07\n");
}

}  // namespace
}  // namespace texelscope::test
