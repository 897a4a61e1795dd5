// texelscope compare IN --panes "SPEC; SPEC; …": figures of several methods against a reference, and their sheet.

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/compare_options.h"
#include "app/cli/compare_output.h"
#include "app/cli/compare_restore.h"
#include "app/cli/on_backend.h"
#include "app/cli/progress.h"
#include "app/files/image_files.h"
#include "app/files/image_source.h"

namespace texelscope {
namespace {

struct CompareCommand {
    std::string input, panes, reference, backend = "auto", json, sheet;
    std::optional<std::string> size, columns, select;
    ViewOptions view;
    SamplingOptions sampling;
    DifferenceOptions difference;
    RestoreOptions restore;

    void run() const {
        restore.check();
        if (restore.given()) return run_restoring();
        // Refuse invalid input before anything is computed.
        ComparisonPlan plan;
        plan.specs = parse_panes(panes);
        plan.reference = parse_reference(reference, panes);
        plan.request.view = view.view();
        plan.request.outside = sampling.outside().value_or(Outside::extend);
        plan.request.antialias = sampling.antialias().value_or(false);
        plan.light = sampling.light();
        plan.difference = difference.settings(!sheet.empty());
        if (select) plan.selection = parse_selection(*select);
        if (size) {
            const Extent wanted = parse_size("--size", *size);
            plan.request.width = wanted.width;
            plan.request.height = wanted.height;
        }
        const int sheet_columns = columns ? parse_columns(*columns, !sheet.empty()) : 0;
        if (!sheet.empty()) check_output_name(sheet);
        const BackendChoice choice = parse_backend(backend);

        plan.source = input;
        plan.image = std::make_shared<const Image>(load_image(input));
        if (!size) {
            plan.request.width = plan.image->width();
            plan.request.height = plan.image->height();
        }
        plan.load_reference();
        std::optional<ComparisonResult> result;
        std::vector<SheetPane> sheet_panes;
        on_backend(choice, [&](const std::shared_ptr<Backend>& made) {
            result = ComparisonResult{plan, made->info(), {}};
            sheet_panes.clear();
            SourceCache sources(made);
            Comparison comparison(sources);
            Progress progress(plan.specs.size());
            for (size_t i = 0; i < plan.specs.size(); ++i) {
                progress.show(i);
                const ComparedPane pane = plan.pane(int(i));
                result->figures.push_back(comparison.figures(pane));
                if (!sheet.empty()) sheet_panes.push_back(comparison.sheet_pane(pane, result->figures.back()));
            }
        });
        if (!sheet.empty()) write_image(make_sheet(sheet_panes, sheet_text(*result), sheet_columns), sheet);
        if (!json.empty()) write_json(*result, json);
        if (json != "-") fmt::print("{}", comparison_table(*result));
    }

    void run_restoring() const {
        const std::pair<const char*, bool> others[] = {{"--reference", !reference.empty()},
                                                       {"--translate, --scale, --zoom and --rotate", view.given()},
                                                       {"--size", size.has_value()},
                                                       {"--select", select.has_value()},
                                                       {"--outside", sampling.outside().has_value()},
                                                       {"--antialias", sampling.antialias().has_value()},
                                                       {"--sheet", !sheet.empty()},
                                                       {"--columns", columns.has_value()},
                                                       {"--difference, --gain and --map", difference.given()}};
        for (const auto& [options, given] : others)
            if (given)
                throw UsageError(
                    fmt::format("--restore compares the whole picture with what it was: leave out {}", options));
        RestoreRun run{input, restore.plan(panes), parse_backend(backend), json};
        run.plan.light = sampling.light();
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
    command
        .add_option("--panes", options->panes,
                    "1 to 16 methods, as \"SPEC; SPEC; …\"; SPEC is ID[:key=value,…] as "
                    "in texelscope render --method")
        .type_name("SPECS");
    command
        .add_option("--reference", options->reference,
                    "Reference to measure against: a SPEC, computed in float64 "
                    "with exact weights and prefilter; own (each method's own exact result); or an image, "
                    "interpolated in float64 by each method. Default: the first pane's method")
        .type_name("SPEC|own|IMAGE");
    command.add_option("--size", options->size, "Size of the output; default: that of the image").type_name("WxH");
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
    options->view.add_to(command);
    options->sampling.add_outside(command, Outside::background);
    options->sampling.add_antialias(command, "off");
    options->sampling.add_linear_light(command);
    command.add_option("--sheet", options->sheet, "Picture of all panes with their figures, ready for a slide")
        .type_name("OUT.png")
        .group("Sheet");
    command
        .add_option("--columns", options->columns,
                    "Panes per row of the sheet; default: chosen so that the sheet is about 16:9")
        .type_name("N")
        .group("Sheet");
    options->difference.add_to(command);
    command.footer(
        "Examples:\n"
        "  texelscope compare photo.png --panes \"bspline; catmull-rom; bilinear\" --zoom 4\n"
        "  texelscope compare @zone-plate --panes \"bspline:path=hardware; bspline:prefilter=fir7\" "
        "--reference own --json -\n"
        "  texelscope compare photo.png --panes \"nearest; bilinear; lanczos3\" --reference quintic --zoom 8 "
        "--sheet sheet.png --difference signed --map balance\n"
        "  texelscope compare photo.png --restore 4");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
