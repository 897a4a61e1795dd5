// Reports of experiments and of restoring in all their forms, through the program itself.

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"
#include "tests/cli/program.h"
#include "tests/studies/experiments/run.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

using ExperimentProgram = Program;

// One method twice: its files must not overwrite each other.
const std::vector<std::string> small_rotation = {
    "experiment", "rotation", "--image", "@natural:64", "--turns",
    "4",          "--angle",  "90",      "--methods",   "nearest; bspline; nearest",
    "--backend",  "cpu"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_F(ExperimentProgram, AreListedWithALineEach) {
    const std::string list = printed({"experiment"});
    EXPECT_EQ(size_t(std::count(list.begin(), list.end(), '\n')), all_experiments().size());
    for (const Experiment& experiment : all_experiments()) {
        EXPECT_THAT(list, HasSubstr(std::string(experiment.name)));
        EXPECT_THAT(list, HasSubstr(std::string(experiment.question)));
        const std::string help = printed({"experiment", std::string(experiment.name), "--help"});
        for (const ExperimentOption& option : experiment.options)
            EXPECT_THAT(help, HasSubstr("--" + std::string(option.name))) << experiment.name;
    }
}

TEST_F(ExperimentProgram, AFolderHoldsEverythingOnce) {
    for (const std::vector<std::string>& arguments : {small_rotation,
                                                      {"experiment", "weights", "--methods", "bilinear"},
                                                      {"experiment", "minification", "--size", "128"}}) {
        const std::string folder = path("out-" + arguments[1]);
        printed(with(arguments, {"-o", folder}));
        EXPECT_EQ(
            test::run({TEXELSCOPE_PYTHON, TEXELSCOPE_SOURCE_DIR "/tests/studies/experiments/check_report.py", folder}),
            0)
            << arguments[1];
    }
}

TEST_F(ExperimentProgram, SingleFilesAreThoseOfTheFolder) {
    const std::string folder = path("all");
    printed(with(small_rotation, {"-o", folder}));
    printed(with(small_rotation, {"--csv", path("t.csv"), "--plot", path("p.svg"), "--report", path("r.html")}));
    EXPECT_EQ(content("t.csv"), content("all/table-after-4-turns-of-90.csv"));
    EXPECT_EQ(content("p.svg"), content("all/plot-rms-error-by-turn.svg"));
    const std::string page = content("r.html");
    EXPECT_THAT(page, HasSubstr("<title>Repeated rotation – texelscope</title>"));
    EXPECT_THAT(printed(with(small_rotation, {"--json", "-"})),
                testing::StartsWith("{\n \"experiment\": \"rotation\""));
}

TEST_F(ExperimentProgram, RefuseWhatCannotBe) {
    expect_error(2, {"experiment", "rotations"}, {"there is no experiment 'rotations'", "rotation, there-and-back"});
    expect_error(2, {"experiment", "rotation", "--turns", "0"}, {"--turns must be from 1 to 1000"});
    expect_error(2, {"experiment", "fir-taps", "--from", "15", "--to", "11"}, {"--to must be above --from"});
    expect_error(1, {"experiment", "rotation", "--image", path("none.png")}, {"none.png"});
    expect_error(1, {"experiment", "rotation", "--image", "@natural:8"}, {"too small to be rotated", "16×16"});
    expect_error(1, with(small_rotation, {"--report", path("no/where.html")}), {"there is no folder"});
    expect_error(2, with(small_rotation, {"--plot", path("plot.doc")}), {"cannot write .doc"});
    expect_error(2, with(small_rotation, {"--plot", path("plot.doc")}), {"--plot", ".png", ".svg"});
    expect_error(2, with(small_rotation, {"--report", path("r.html"), "--csv", path("./r.html")}),
                 {"--report and --csv both name", "r.html"});
    EXPECT_FALSE(fs::exists(path("r.html")));
    expect_error(2, {"experiment", "rotation", "rotation"}, {"has no place for", "rotation"});
    expect_error(2, {"experiment", "weights", "rotation"}, {"has no place for", "rotation"});
    expect_error(2, {"experiment", "weights", "--methods", "bilinear; bspline:path=global", "--backend", "cpu"},
                 {"always uses the hardware path", "path=global", "bspline"});
    write("file", "x");
    expect_error(1, with(small_rotation, {"-o", path("file")}), {"-o needs a folder"});
}

// On an image without detail nearest loses nothing, which is not as expected.
TEST_F(ExperimentProgram, AreStrictOnDemand) {
    EXPECT_EQ(run({"experiment", "weights", "--strict", "--backend", "cpu"}).status, 0);
    const std::vector<std::string> blank = {"experiment", "rotation",          "--image",   "@constant:64",
                                            "--methods",  "nearest; bilinear", "--backend", "cpu"};
    EXPECT_THAT(printed(blank), HasSubstr("\ndiffers "));
    EXPECT_EQ(run(with(blank, {"--strict"})).status, 1);
}

TEST_F(ExperimentProgram, AreEndedByCtrlCAndLeaveNothing) {
    Process program({TEXELSCOPE_PROGRAM, "experiment", "rotation", "--turns", "1000", "--angle", "0.36", "-o",
                     path("out"), "--report", path("report.html"), "--backend", "cpu"},
                    {});
    // More than a start takes, and less than a hundredth of the turns.
    while (program.running() && program.processor_seconds() < 0.3)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    program.send(SIGINT);
    EXPECT_EQ(program.wait(60), 1);
    EXPECT_THAT(program.lines(), Contains(HasSubstr("cancelled; nothing was written")));
    EXPECT_TRUE(fs::is_empty(folder_)) << "something is left behind";
}

TEST(Results, NumbersArePrintedWithTheirDigits) {
    EXPECT_EQ(number_text(7.1894, 3), "7.19");
    EXPECT_EQ(number_text(22.26, 3), "22.3");
    EXPECT_EQ(number_text(1234.5, 3), "1234");  // ties to even, as everywhere in C++
    EXPECT_EQ(number_text(0.001953, 3), "0.00195");
    EXPECT_EQ(number_text(-0.0651, 2), "-0.065");
    EXPECT_EQ(number_text(6.51e-5, 3), "6.51e-05");
    EXPECT_EQ(number_text(257, 0), "257");
    EXPECT_EQ(number_text(1.5, 0), "1.5");
    EXPECT_EQ(number_text(0, 3), "0");
    EXPECT_EQ(number_text(std::nan(""), 3), "–");
}

TEST(Results, FileNamesKeepLettersAndNothingElse) {
    EXPECT_EQ(file_stem("Moiré by scale"), "moiré-by-scale");
    EXPECT_EQ(file_stem("After 4 turns of 90°"), "after-4-turns-of-90");
    EXPECT_EQ(file_stem("Its two directions at 8×8"), "its-two-directions-at-8-8");
    EXPECT_EQ(file_stem("Catmull–Rom · ½ Å"), "catmull-rom-Å");
    EXPECT_EQ(file_stem("cut \xc3"), "cut");
}

// The report of restoring: complete, self-contained, with what every figure is measured against.

using RestoringReport = Program;

// Every method is one point with its name, at its PSNR; only those of the front have labels.
void expect_each_is_named(const Plot& plot, const RestoringResult& result) {
    const bool time = plot.title.ends_with("time");
    const std::vector<bool> front = on_the_front(result.methods, time ? Cost::time : Cost::fetches);
    std::map<std::string, std::pair<double, bool>> points;
    for (const Series& series : plot.series) {
        if (series.style != Series::Style::dots) continue;
        ASSERT_EQ(series.words.size(), series.x.size());
        for (size_t k = 0; k < series.x.size(); ++k) {
            points[series.words[k].name] = {series.y[k], series.labelled};
            EXPECT_THAT(series.words[k].more, HasSubstr(fmt::format("{:.2f} dB", series.y[k])));
            if (time) continue;
            EXPECT_THAT(series.words[k].more, HasSubstr(fmt::format("\n{:.3g} fetches", series.x[k])));
        }
    }
    EXPECT_EQ(points.size(), result.methods.size());
    for (size_t k = 0; k < result.methods.size(); ++k) {
        const auto found = points.find(std::string(result.methods[k].spec.method->name));
        ASSERT_NE(found, points.end()) << result.methods[k].spec.method->name;
        EXPECT_EQ(found->second.first, result.methods[k].inside.metrics.psnr);
        EXPECT_EQ(found->second.second, front[k]) << found->first;
    }
}

TEST_F(RestoringReport, TheReportHoldsTheTableThePlotAndThePanes) {
    const std::string folder = path("report");
    RestoringPlan plan;
    plan.source = "a & b.png";
    plan.image = std::make_shared<const Image>(load_image("@dead-leaves:130x96"));
    for (const MethodInfo* method : all_methods()) plan.specs.push_back(parse_spec(method->id));
    plan.restoration = parse_restoration("--restore", "3");
    plan.panes = 4;
    const RestoringResult result = restore_by_each(plan, make_cpu_backend(), [](size_t, size_t) {});
    const ExperimentResult report = restoring_report(result);
    EXPECT_EQ(report.tables[0].rows.size(), all_methods().size());
    EXPECT_EQ(report.pictures.size(), 5u);
    ASSERT_EQ(report.plots.size(), 2u);  // against fetches, and against time
    for (const Plot& plot : report.plots) expect_each_is_named(plot, result);
    // The verdict's cheaper alternative is on the front, since both are by fetches.
    const std::string answer = verdict(plan.restoration, result.methods);
    EXPECT_THAT(answer, HasSubstr(name_among(*other_of_verdict(result.methods), result.methods)));
    for (const Series& series : report.plots[0].series)
        for (const PointWords& words : series.words)
            if (!series.labelled) {
                EXPECT_THAT(answer, Not(HasSubstr(words.name)));
            }
    write_folder(report, folder);
    EXPECT_EQ(
        test::run({TEXELSCOPE_PYTHON, TEXELSCOPE_SOURCE_DIR "/tests/studies/experiments/check_report.py", folder}), 0);

    printed({"compare", "@natural:128", "--restore", "2.5", "--panes", "lanczos3; bspline", "--backend", "cpu",
             "--report", path("r.html")});
    const std::string page = content("r.html");
    for (const char* part :
         {"Which method is best for @natural:128?", "shrunk to 51×51", "this picture better: ", "<svg",
          "data:image/png;base64", "--restore 2.5", "--shrink-with", "texelscope " TEXELSCOPE_VERSION})
        EXPECT_THAT(page, HasSubstr(part));
}

// A result's command computes the same again.
TEST(RestoringReports, NameTheCommand) {
    RestoringPlan plan;
    plan.source = "a b.png";
    plan.light = Light::linear;
    plan.restoration = parse_restoration("--restore", "2.5");
    plan.restoration.filter = parse_spec("lanczos3");
    plan.specs = {parse_spec("nearest"), parse_spec("bspline:prefilter=fir7")};
    const std::string text = command_words(plan, BackendKind::cpu);
    EXPECT_THAT(text, HasSubstr("\"a b.png\" --restore 2.5 --shrink-with lanczos3"));
    EXPECT_THAT(text, HasSubstr(" --linear-light --panes \"nearest:path=auto"));
    EXPECT_THAT(text, HasSubstr("; bspline:path=auto,address=clamp,prefilter=fir7\""));
    for (const char* how : {"4", "2.5", "rotate:36x10", "rotate:2x-17.5", "shift:0.5x8"})
        EXPECT_EQ(to_string(parse_restoration("--restore", how)), how);
}

using Texts = std::vector<std::string>;

// The table of restored methods: its numbers can be compared down a column.

// What the column prints for methods with these figures, all of them the same in each row.
std::vector<std::string> printed(const std::string& name, const std::vector<double>& values, ValueUnit unit) {
    RestoringResult result;
    result.plan.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    for (const double value : values) {
        RestoredMethod method{.spec = parse_spec("bilinear")};
        method.inside.metrics.max_abs = method.inside.metrics.rmse = value;
        method.milliseconds = method.fetches = value;
        result.methods.push_back(method);
    }
    const auto columns = restored_columns(result, ValueScale(unit, SampleType::u8));
    const auto column =
        std::find_if(columns.begin(), columns.end(), [&](const RestoredColumn& each) { return each.name == name; });
    std::vector<std::string> texts;
    for (const RestoredMethod& method : result.methods) texts.push_back(column->text(method));
    return texts;
}

TEST(RestoredColumns, NumbersHaveEquallyManyDecimals) {
    const auto levels = [](double level) { return level / 255; };
    EXPECT_EQ(printed("max", {levels(195.7), levels(196), levels(99.96), levels(20)}, ValueUnit::levels),
              (Texts{"195.7", "196.0", "100.0", "20.0"}));
    EXPECT_EQ(printed("time", {0.91, 3.5, 120.13}, ValueUnit::fraction), (Texts{"0.91", "3.50", "120.13"}));
    EXPECT_EQ(printed("fetches", {1, 4, 36}, ValueUnit::fraction), (Texts{"1", "4", "36"}));
    EXPECT_EQ(printed("fetches", {1, 7.1111, 64}, ValueUnit::fraction), (Texts{"1.0", "7.1", "64.0"}));
    EXPECT_EQ(printed("RMSE", {0.0352, 0.04}, ValueUnit::fraction), (Texts{"0.0352", "0.0400"}));
}

TEST(RestoredColumns, ASmallErrorIsNotNone) {
    EXPECT_EQ(printed("RMSE", {0, 1e-7, 0.0352}, ValueUnit::fraction), (Texts{"0.000000", "< 0.000001", "0.035200"}));
}

// The answer in one sentence: the best, and what comes near it at a lower cost.

RestoredMethod method(const char* id, double psnr, double fetches) {
    RestoredMethod result{.spec = parse_spec(id)};
    result.inside.metrics.psnr = psnr;
    result.fetches = fetches;
    return result;
}

Restoration enlarging() { return parse_restoration("--restore", "4"); }

TEST(RestoringVerdict, NamesTheBestAndWhatIsNearlyAsGoodAndCheaper) {
    EXPECT_EQ(
        verdict(enlarging(), {method("quintic", 32.14, 36), method("lanczos4", 32.1, 64), method("bspline", 31.93, 16),
                              method("nearest", 27, 1)}),
        "Quintic B-spline restores this picture best: 32.1 dB against the original, one other within 0.05 dB; cubic "
        "B-spline is 0.2 dB behind with 16 instead of 36 fetches.");
    EXPECT_EQ(verdict(enlarging(), {method("omoms:path=global", 20.02, 16), method("bspline:path=hardware", 20.0, 4)}),
              "Cubic o-MOMS restores this picture better: 20.0 dB against the original; cubic B-spline is as good "
              "with 4 instead of 16 fetches.");
    EXPECT_THAT(
        verdict(enlarging(), {method("septic", 28.88, 64), method("omoms5", 28.86, 36), method("omoms", 28.85, 16)}),
        HasSubstr("; cubic o-MOMS is as good with 16 instead of 64 fetches"))
        << "the cheapest of several";
}

TEST(RestoringVerdict, SaysHowManyAreAsGood) {
    EXPECT_EQ(verdict(enlarging(), {method("omoms:path=global", 28.11, 16), method("quintic", 28.11, 36),
                                    method("lanczos4", 28.07, 64), method("lanczos3", 28.0, 36)}),
              "Cubic o-MOMS restores this picture best: 28.1 dB against the original, 2 others within 0.05 dB; nothing "
              "near it reads much less.");
    EXPECT_EQ(verdict(enlarging(), {method("omoms:path=global", 28.11, 16), method("bspline:path=hardware", 28.1, 4),
                                    method("nearest", 20, 1)}),
              "Cubic o-MOMS restores this picture best: 28.1 dB against the original; cubic B-spline is as good with 4 "
              "instead of 16 fetches.")
        << "the one that is named is not counted besides";
    EXPECT_EQ(verdict(enlarging(), {method("quintic", 28.11, 36), method("lanczos3", 28.1, 36)}),
              "Quintic B-spline restores this picture better: 28.1 dB against the original; Lanczos 3 is as good.");
}

TEST(RestoringVerdict, AMethodWithTwoSettingsIsNotTheSameNameTwice) {
    EXPECT_EQ(verdict(enlarging(), {method("bspline", 30, 16), method("bspline:path=hardware", 29.98, 4)}),
              "Cubic B-spline restores this picture better: 30.0 dB against the original; cubic B-spline · "
              "hardware is as good with 4 instead of 16 fetches.");
}

TEST(RestoringVerdict, TheFrontListsEachMethodOnce) {
    RestoringResult result;
    result.plan.restoration = enlarging();
    // Mitchell–Netravali is a (B, C) cubic: with its values both are the same.
    result.methods = {method("septic", 31, 64), method("mitchell", 30, 16), method("bc", 30, 16),
                      method("nearest", 20, 1)};
    EXPECT_EQ(
        front_words(result),
        "Closer to the original than anything with as few fetches: nearest neighbour, Mitchell–Netravali and septic "
        "B-spline.");
    result.methods = {method("bspline", 31, 16), method("bspline:path=hardware", 30, 4), method("nearest", 20, 1)};
    EXPECT_EQ(front_words(result),
              "Closer to the original than anything with as few fetches: nearest neighbour, cubic B-spline · "
              "hardware and cubic B-spline.");
}

TEST(RestoringReports, APartSaysWhereItIs) {
    RestoringPlan plan;
    plan.source = "a.png";
    plan.whole = std::make_shared<const Image>(load_image("@dead-leaves:200x160"));
    plan.part = {40, 24, 120, 96};
    plan.image = std::make_shared<const Image>(part_of(*plan.whole, plan.part));
    plan.specs = {parse_spec("bilinear"), parse_spec("bspline")};
    plan.restoration = parse_restoration("--restore", "2");
    EXPECT_EQ(done_words(plan), "the part of 120×96 samples from (40, 24), shrunk to 60×48 by lanczos3, antialiased");
    const RestoringResult result = restore_by_each(plan, make_cpu_backend(), [](size_t, size_t) {});
    EXPECT_THAT(restoring_json(result), HasSubstr("\"part\""));
    const ExperimentResult report = restoring_report(result);
    for (const auto& [name, words] : report.facts) EXPECT_NE(name, "command") << "none restores a part: " << words;
    plan.whole.reset();
    EXPECT_THAT(restoring_json({plan, {}, {}, {}, {}, {}, 0}), Not(HasSubstr("\"part\"")));
}

TEST(RestoringVerdict, NothingCheaperIsWorthNaming) {
    EXPECT_EQ(
        verdict(enlarging(), {method("bspline", 40, 16), method("bilinear", 33.5, 4), method("nearest", 20, 1)}),
        "Cubic B-spline restores this picture best: 40.0 dB against the original; bilinear follows 6.5 dB behind, "
        "and nothing near it reads much less.");
    EXPECT_EQ(verdict(enlarging(), {method("nearest", INFINITY, 1), method("bilinear", 33, 1)}),
              "Nearest neighbour restores this picture exactly.");
    EXPECT_EQ(verdict(enlarging(), {method("bspline", 31, 1)}),
              "Cubic B-spline restores this picture with 31.0 dB against the original.");
}

TEST(RestoringVerdict, OfTwoOneIsBetterAndNothingElseIsMentioned) {
    EXPECT_EQ(
        verdict(parse_restoration("--restore", "shrink:3"), {method("lanczos3", 41, 36), method("bilinear", 30, 4)}),
        "Lanczos 3 reduces this picture better: 41.0 dB against the ideal reduction; bilinear follows 11.0 dB behind.");
}

TEST(RestoringVerdict, WithoutFiniteValuesThereIsNone) {
    EXPECT_EQ(verdict(enlarging(), {method("bspline", NAN, 1), method("nearest", NAN, 1)}),
              "No method can be judged: the picture has no finite values to compare.");
    EXPECT_EQ(verdict(enlarging(), {}), "No method can be judged: the picture has no finite values to compare.");
}

TEST(RestoringVerdict, NamesWhatTheFiguresAreAgainst) {
    EXPECT_EQ(
        verdict(parse_restoration("--restore", "shrink:3"),
                {method("lanczos3", 41, 36), method("bilinear", 30, 4), method("nearest", 20, 1)}),
        "Lanczos 3 reduces this picture best: 41.0 dB against the ideal reduction; bilinear follows 11.0 dB behind, "
        "and nothing near it reads much less.");
}

}  // namespace
}  // namespace texelscope::test
