// What the experiments find, against theory and published figures.

#include <cmath>

#include "tests/studies/experiments/run.h"

namespace texelscope::test {
namespace {

TEST(ConvergenceExperiment, OrdersAndConstantsAreTheTheorys) {
    const ResultTable found = run_here("convergence").tables.at(0);
    struct Row {
        const char* name;
        double order, largest, mean_square_root, tolerance;
    };
    constexpr Row table[] = {{"Nearest neighbour", 1, 0.5, 0.2887, 0.01},
                             {"Bilinear", 2, 0.125, 0.0913, 0.01},
                             {"Catmull–Rom", 3, 0.01604, 0.01150, 0.01},
                             {"Cubic B-spline · no prefilter", 2, 1.0 / 6, 1.0 / 6, 0.01},
                             {"Cubic B-spline · iir", 4, 1.0 / 384, 1.660e-3, 0.02},
                             {"Cubic o-MOMS · iir", 4, 8.49e-4, 6.27e-4, 0.02},
                             {"Quintic B-spline · iir", 6, 6.51e-5, 4.03e-5, 0.1}};
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
    try {
        ExperimentOptions(find_experiment(experiment).options).set(option, text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
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

}  // namespace
}  // namespace texelscope::test
