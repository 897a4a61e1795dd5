// texelscope compare IN --panes "SPEC; SPEC; …": figures of several methods against a reference, and their sheet.

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/compare_options.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/picture/comparison.h"
#include "app/state/panes.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"

namespace texelscope {
namespace {

struct CompareCommand {
    std::string input, backend = "auto", json, sheet;
    std::optional<std::string> panes, reference, size, columns, select;
    MethodOptions method;  // of the panes whose SPEC does not say otherwise
    ViewOptions view;
    SamplingOptions sampling;
    DifferenceOptions difference;
    RestoreOptions restore;
    PictureOptions picture;
    bool partial = false;
    MemoryOption memory{least_compared_memory};
    LevelsOption levels;

    void run() const {
        restore.check();
        if (restore.given()) return run_restoring();
        // Refuse invalid input before anything is computed.
        ComparisonPlan plan;
        plan.specs = compared_specs(method, panes, default_spec(parse_method("bspline")), four_panes);
        plan.reference = parse_reference(reference);
        plan.request.view = view.view();
        const bool address_given = method.address_given() || (panes && panes->find("address=") != std::string::npos);
        plan.request.outside = sampling.outside().value_or(address_given ? Outside::extend : Outside::background);
        plan.request.antialias = sampling.antialias().value_or(true);
        plan.light = sampling.light();
        plan.difference = difference.settings(!sheet.empty());
        if (select) plan.selection = parse_selection(*select);
        if (size) {
            const Extent wanted = parse_size("--size", *size);
            plan.request.width = wanted.width;
            plan.request.height = wanted.height;
        }
        const int sheet_columns = columns ? parse_columns(*columns, !sheet.empty()) : 0;
        const NamedOutput outputs[] = {{"--json", json}, {"--sheet", sheet}};
        check_outputs(outputs);
        if (!sheet.empty()) check_output_name(sheet);
        const BackendChoice choice = parse_backend(backend);
        static_cast<void>(memory.bytes());
        levels.check();

        plan.source = picture.source_of(input);
        plan.partial = partial;
        if (!partial) plan.tiles = picture.tiles_of(input);
        if (plan.tiles) check_streamed();
        else plan.image = std::make_shared<const Image>(load_whole(plan.source, partial));
        const ImageInfo image = plan.info();
        for (const MethodSpec& spec : plan.specs) check_border(spec, image.channels);
        if (plan.reference.kind == Reference::Kind::method) check_border(plan.reference.spec, image.channels);
        if (plan.selection && plan.request.outside != Outside::extend)
            check_selection(*plan.selection, *select, {image.width, image.height, plan.is_signal()});
        plan.reference.source = picture.other_source_of(plan.reference.source);
        plan.load_reference();
        if (plan.against_another_size() && !size && !view.given()) {
            plan.show_at_size_of_reference();
        } else if (!size) {
            const Extent area = picture_area(plan.request.view, {image.width, image.height, plan.is_signal()});
            plan.request.width = area.width;
            plan.request.height = area.height;
        }
        std::vector<SheetPane> sheet_panes;
        const ComparisonResult result = plan.tiles ? streamed(plan, choice) : resident(plan, choice, sheet_panes);
        if (!sheet.empty()) write_image(make_sheet(sheet_panes, sheet_text(result), sheet_columns), sheet);
        if (!json.empty()) write_text(json, comparison_json(result));
        if (!is_one_printed(outputs)) fmt::print("{}", comparison_table(result));
    }

    ComparisonResult resident(const ComparisonPlan& plan, BackendChoice choice,
                              std::vector<SheetPane>& sheet_panes) const {
        ComparisonResult result{plan, {}, {}};
        on_backend(choice, [&](const std::shared_ptr<Backend>& made) {
            result.backend = made->info();
            result.figures.clear();
            sheet_panes.clear();
            SourceCache sources(made);
            Comparison comparison(sources);
            Progress progress(plan.specs.size());
            for (size_t i = 0; i < plan.specs.size(); ++i) {
                progress.show(i);
                const ComparedPane pane = plan.pane(int(i));
                result.figures.push_back(comparison.figures(pane));
                if (!sheet.empty()) sheet_panes.push_back(comparison.sheet_pane(pane, result.figures.back()));
            }
        });
        return result;
    }

    // The comparison of panes of an image that is too large for memory.
    ComparisonResult streamed(const ComparisonPlan& plan, BackendChoice choice) const {
        ComparisonResult result{plan, {}, {}};
        std::vector<ComparedPane> compared;
        for (size_t i = 0; i < plan.specs.size(); ++i) compared.push_back(plan.pane(int(i)));
        on_backend(choice, [&](const std::shared_ptr<Backend>& made) {
            result.backend = made->info();
            StreamedComparison comparison(
                made, plan.tiles, {.memory = memory.bytes(), .light = plan.light, .levels = levels.of(*plan.tiles)});
            Progress bar(progress_steps);
            const auto show = [&](double part) { bar.show(size_t(part * progress_steps)); };
            result.figures = comparison.figures(compared, {show, {}});
        });
        return result;
    }

    // Before anything is read.
    void check_streamed() const {
        if (!sheet.empty())
            throw UsageError(fmt::format(
                "--sheet needs the whole image in memory: {} is too large for that; texelscope render writes "
                "pictures of it",
                words_of_source(input)));
    }

    void run_restoring() const {
        const std::pair<const char*, bool> others[] = {{"--reference", reference.has_value()},
                                                       {"--translate, --scale, --zoom and --rotate", view.given()},
                                                       {"--size", size.has_value()},
                                                       {"--select", select.has_value()},
                                                       {"--outside", sampling.outside().has_value()},
                                                       {"--antialias", sampling.antialias().has_value()},
                                                       {"--difference, --gain and --map", difference.given()}};
        for (const auto& [options, given] : others)
            if (given)
                throw UsageError(
                    fmt::format("--restore compares the whole picture with what it was: leave out {}", options));
        RestoreRun run{restore.plan(panes, method), parse_backend(backend), json, sheet, restore.report()};
        if (columns) run.columns = parse_columns(*columns, !sheet.empty());
        run.plan.source = picture.source_of(input);
        run.plan.light = sampling.light();
        run.partial = partial;
        run_restore(std::move(run));
    }
};

}  // namespace

void add_compare(Command app) {
    Command command = app.add_subcommand("compare", "Compare methods: errors against a reference, and times");
    auto options = std::make_shared<CompareCommand>();
    command
        .add_option("IN", options->input, "Image file, signal (.csv, 1-D .npy), or test image such as @zone-plate:512")
        .required();
    options->picture.add_to(command);
    add_partial(command, options->partial);
    command
        .add_option("--panes", options->panes,
                    fmt::format("1 to 16 methods, as \"SPEC; SPEC; …\"; SPEC is ID[:key=value,…] as in texelscope "
                                "render --method. Default: \"{}\"; with --restore, all methods",
                                usual_panes()))
        .type_name("SPECS");
    command
        .add_option("--reference", options->reference,
                    fmt::format("Reference to measure against: a SPEC, computed in float64 "
                                "with exact weights and prefilter; own (each method's own exact result); truth (the "
                                "formula of a test image); or an image, interpolated in float64 by each method: of "
                                "another size, the larger original that shows the same field. Default: {}, of order "
                                "6",
                                default_reference().spec.method->id))
        .type_name("SPEC|own|truth|IMAGE");
    command
        .add_option(
            "--size", options->size,
            "Size of the output; default: as much of the picture as a window of its size shows; without a view, "
            "the size of a larger original")
        .type_name("WxH");
    command
        .add_option("--select", options->select,
                    "Measure only pixels that read the image between these coordinates, in "
                    "samples")
        .type_name("X0,Y0,X1,Y1");
    command.add_option("--backend", options->backend, "Backend: auto, cuda or cpu").type_name("auto|cuda|cpu");
    command
        .add_option("--json", options->json,
                    "Write the figures as JSON to this file; - writes them to standard "
                    "output instead of the table")
        .type_name("FILE");
    options->restore.add_to(command);
    options->method.add_file(command, "pane A, before those of --panes");
    options->method.add_settings(command);
    options->view.add_to(command);
    options->sampling.add_outside(command, Outside::background);
    options->sampling.add_antialias(command, "on");
    options->sampling.add_linear_light(command);
    command
        .add_option(
            "--sheet", options->sheet,
            "Picture of all panes with their figures, ready for a slide; with --restore, of the original and the best "
            "four (or all of --panes) at the worst spot")
        .type_name("OUT.png")
        .group("Sheet");
    command
        .add_option("--columns", options->columns,
                    "Panes per row of the sheet; default: chosen so that the sheet is about 16:9")
        .type_name("N")
        .group("Sheet");
    options->difference.add_to(command);
    options->memory.add_to(command);
    options->levels.add_to(command);
    command.footer(
        "Examples:\n"
        "  texelscope compare photo.png\n"
        "  texelscope compare photo.png --panes \"bspline; catmull-rom; bilinear\" --zoom 4\n"
        "  texelscope compare @zone-plate --panes \"bspline:path=hardware; bspline:prefilter=fir7\" "
        "--reference own --json -\n"
        "  texelscope compare photo.png --panes \"nearest; bilinear; lanczos3\" --reference quintic --zoom 8 "
        "--sheet sheet.png --difference signed --map balance\n"
        "  texelscope compare photo.png --restore 4 --sheet best.png --report best.html\n"
        "  texelscope compare photo.png --method-file my.weights --panes \"bspline; lanczos3\"\n"
        "  texelscope compare small.png --reference original.png\n"
        "  texelscope compare @zone-plate --reference truth --zoom 4\n"
        "  texelscope compare scan.tif --scale 3 --memory 4G");
    command.callback([options] { options->run(); });
}

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
