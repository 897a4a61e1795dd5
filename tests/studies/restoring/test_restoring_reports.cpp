// The report of restoring: complete, self-contained, with what every figure is measured against.

#include <gmock/gmock.h>

#include "app/files/image_source.h"
#include "app/studies/experiments/result_files.h"
#include "app/studies/restoring/restoring_reports.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

using RestoringReport = Program;

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
    ASSERT_EQ(report.plots.size(), 1u);
    size_t points = 0;
    for (const Series& series : report.plots[0].series)
        if (series.style == Series::Style::dots) points += series.x.size();
    EXPECT_EQ(points, all_methods().size());
    write_folder(report, folder);
    EXPECT_EQ(
        test::run({TEXELSCOPE_PYTHON, TEXELSCOPE_SOURCE_DIR "/tests/studies/experiments/check_report.py", folder}), 0);

    printed({"compare", "@natural:128", "--restore", "2.5", "--panes", "lanczos3; bspline", "--backend", "cpu",
             "--report", path("r.html")});
    const std::string page = content("r.html");
    for (const char* part :
         {"Which method is best for @natural:128?", "shrunk to 51×51", "this picture best: ", "<svg",
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
