// The report of restoring: complete, self-contained, with what every figure is measured against.

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/files/reading/image_source.h"
#include "app/studies/experiments/result_files.h"
#include "app/studies/restoring/restoring_reports.h"
#include "app/studies/restoring/verdict.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

using ::testing::Not;

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

}  // namespace
}  // namespace texelscope::test
