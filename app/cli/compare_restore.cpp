#include "app/cli/compare_options.h"

#include <fmt/format.h>

#include "app/cli/files_options.h"
#include "app/cli/on_backend.h"
#include "app/cli/progress.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/files/reading/image_source.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/experiments/result.h"
#include "app/studies/restoring/restoring_reports.h"

namespace texelscope {
namespace {

constexpr const char* group = "Restore";
constexpr size_t usual_panes_shown = 4;  // of all methods, on a sheet and in a report

std::vector<MethodSpec> every_method(const MethodSpec& defaults) {
    std::vector<MethodSpec> specs;
    for (const MethodInfo* method : all_methods()) specs.push_back(parse_spec(method->id, &defaults));
    return specs;
}

RestoringResult computed(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend) {
    const Interrupt interrupt;
    std::optional<Progress> bar;
    try {
        RestoringResult result = restore_by_each(plan, backend, [&](size_t done, size_t total) {
            Interrupt::check();
            if (!bar) bar.emplace(total);
            bar->show(done);
        });
        Interrupt::check();
        return result;
    } catch (const Cancelled& cancelled) {
        throw Error(fmt::format("compare: {}", cancelled.what()));
    }
}

}  // namespace

void RestoreOptions::add_to(Command command) {
    command
        .add_option("--restore", restore_,
                    "Which method is best for this picture: shrink it by a FACTOR of at least 1, rotate it TIMES times "
                    "or shift it, restore it by each method (of --panes, or all), and compare the "
                    "result with the picture itself. With shrink:, each method shrinks the picture, and the result is "
                    "compared with the ideal reduction")
        .type_name("FACTOR|rotate:TIMESxDEGREES|shift:SAMPLESxTIMES|shrink:FACTOR")
        .group(group);
    command
        .add_option("--shrink-with", filter_,
                    fmt::format("Method that shrinks, antialiased; default: {}", usual_filter().method->id))
        .type_name("SPEC")
        .group(group);
    command
        .add_option("--report", report_,
                    "One HTML page: what was done, the sorted table, quality against cost, and the best methods at the "
                    "worst spot")
        .type_name("FILE.html")
        .group(group);
}

void RestoreOptions::check() const {
    if (!report_.empty() && !restore_) throw UsageError("--report needs --restore FACTOR");
    if (!filter_) return;
    if (!restore_) throw UsageError("--shrink-with needs --restore FACTOR");
    if (parse_restoration("--restore", *restore_).kind != Restoration::Kind::shrink)
        throw UsageError(
            fmt::format("--shrink-with needs --restore FACTOR: no method shrinks beforehand for {}", *restore_));
}

RestoringPlan RestoreOptions::plan(const std::optional<std::string>& panes, const MethodOptions& method) const {
    check();
    RestoringPlan plan;
    plan.restoration = parse_restoration("--restore", *restore_);
    if (filter_) try {
            plan.restoration.filter = parse_spec(*filter_);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--shrink-with: {}", error.what()));
        }
    plan.specs = compared_specs(method, panes, restoring_defaults(plan.restoration), every_method);
    plan.panes = panes ? plan.specs.size() : usual_panes_shown;
    return plan;
}

void run_restore(RestoreRun run) {
    RestoringPlan& plan = run.plan;
    const NamedOutput outputs[] = {{"--json", run.json}, {"--sheet", run.sheet}, {"--report", run.report}};
    check_outputs(outputs);
    if (!run.sheet.empty()) check_output_name(run.sheet);
    if (run.sheet.empty() && run.report.empty()) plan.panes = 0;
    plan.image = std::make_shared<const Image>(load_whole(plan.source, run.partial));
    try {
        interior_of(plan.restoration, *plan.image);
    } catch (const Error& error) {
        throw Error(fmt::format("--restore: {}: {}", words_of_source(plan.source), error.what()));
    }
    std::optional<RestoringResult> result;
    on_backend(run.backend, [&](const std::shared_ptr<Backend>& made) { result = computed(plan, made); });
    if (!run.sheet.empty()) write_image(restoring_sheet(*result, run.columns), run.sheet);
    if (!run.report.empty()) write_text(run.report, result_as_html(restoring_report(*result)));
    if (!run.json.empty()) write_text(run.json, restoring_json(*result));
    if (!is_one_printed(outputs)) fmt::print("{}", restoring_text(*result));
}

}  // namespace texelscope
