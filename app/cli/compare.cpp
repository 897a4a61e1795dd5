// texelscope compare IN --panes "SPEC; SPEC; …": figures of several methods against a reference, and their sheet.

#include <algorithm>
#include <cmath>

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
    std::vector<std::string> inputs;
    std::string backend = "auto", json, sheet;
    std::optional<std::string> panes, reference, size, columns, select;
    MethodOptions method;  // of the panes whose SPEC does not say otherwise
    ViewOptions view;
    SamplingOptions sampling;
    DifferenceOptions difference;
    ViewingOptions viewing;
    RestoreOptions restore;
    CommandOptions commands;
    PictureOptions picture;
    bool partial = false;
    MemoryOption memory{least_compared_memory};
    LevelsOption levels;

    void run() const {
        restore.check();
        if (restore.given()) return run_restoring();
        if (inputs.size() != 1)
            throw UsageError(
                fmt::format("compare takes one picture, not {}; with --restore it takes many", inputs.size()));
        const std::string& input = inputs[0];
        // Refuse invalid input before anything is computed.
        ComparisonPlan plan;
        plan.specs = compared_specs(method, panes, default_spec(parse_method("bspline")), four_panes);
        const std::vector<OutsideMethod> programs = commands.programs(plan.specs);
        plan.reference = parse_reference(reference);
        if (!programs.empty() && plan.reference.kind == Reference::Kind::own)
            throw UsageError(
                "--reference own is each method's exact result, which a command has not: choose another one");
        plan.request.view = view.view();
        const bool address_given = method.address_given() || (panes && panes->find("address=") != std::string::npos);
        plan.request.outside = sampling.outside().value_or(address_given ? Outside::extend : Outside::background);
        plan.request.antialias = sampling.antialias().value_or(true);
        plan.light = sampling.light();
        plan.difference = difference.settings(!sheet.empty(), viewing);
        if (viewing.given() && !(plan.difference && plan.difference->kind == DifferenceKind::flip))
            throw UsageError("--pixels-per-degree and --screen need --difference flip, or --restore with --judge flip");
        plan.map_files = difference.files(plan.specs.size());
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
        if (plan.tiles) check_streamed(input);
        else plan.image = std::make_shared<const Image>(load_whole(plan.source, partial));
        const ImageInfo image = plan.info();
        if (plan.tiles && !programs.empty())
            throw UsageError(fmt::format("a command gets whole pictures, and {} is too large to be held in memory",
                                         words_of_source(input)));
        for (const MethodSpec& spec : plan.specs)
            if (!is_outside(spec)) check_border(spec, image.channels);
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
        if (!programs.empty()) run_programs(plan, programs);
        std::vector<SheetPane> sheet_panes;
        const ComparisonResult result = plan.tiles ? streamed(plan, choice) : resident(plan, choice, sheet_panes);
        if (!sheet.empty()) write_image(make_sheet(sheet_panes, sheet_text(result), sheet_columns), sheet);
        for (size_t k = 0; k < plan.map_files.size(); ++k) write_image(map_image(result, k), plan.map_files[k]);
        if (!json.empty()) write_text(json, comparison_json(result));
        if (!is_one_printed(outputs)) fmt::print("{}", comparison_table(result));
    }

    // Each makes the picture as much larger as the view shows it.
    void run_programs(ComparisonPlan& plan, const std::vector<OutsideMethod>& programs) const {
        const Interrupt interrupt;
        const Image& image = *plan.image;
        const double zoom = plan.request.view.zoom();
        const auto side = [&](int samples) { return std::max(1, int(std::lround(samples * zoom))); };
        const bool whole = plan.against_another_size() && !size && !view.given();
        const Extent wanted =
            whole ? Extent{plan.request.width, plan.request.height} : Extent{side(image.width()), side(image.height())};
        for (size_t pane = 0, next = 0; pane < plan.specs.size(); ++pane) {
            if (!is_outside(plan.specs[pane])) continue;
            const OutsideMethod& program = programs[next++];
            OutsideResult made = program.make(image, wanted, Interrupt::check);
            Image values = outside_values(made.image, image, wanted, std::string(program.spec.method->name));
            values.set_profile(image.profile());
            values.set_one_dimensional(image.one_dimensional());
            plan.made[int(pane)] = {std::make_shared<const Image>(std::move(values)), made.milliseconds};
        }
    }

    ComparisonResult resident(const ComparisonPlan& plan, BackendChoice choice,
                              std::vector<SheetPane>& sheet_panes) const {
        ComparisonResult result{plan, {}, {}};
        on_backend(choice, [&](const std::shared_ptr<Backend>& made) {
            result.backend = made->info();
            result.figures.clear();
            sheet_panes.clear();
            SourceCache sources(made);
            Comparison comparison(sources, !plan.map_files.empty());
            Progress progress(plan.specs.size());
            for (size_t i = 0; i < plan.specs.size(); ++i) {
                progress.show(i);
                const ComparedPane pane = plan.pane(int(i));
                const auto made = plan.made.find(int(i));
                if (made == plan.made.end()) {
                    result.figures.push_back(comparison.figures(pane));
                } else {  // its own time, not that of showing it
                    PaneFigures& figures = result.figures.emplace_back(comparison.figures_untimed(pane));
                    figures.milliseconds = made->second.milliseconds;
                    figures.pixels = double(made->second.picture->width()) * made->second.picture->height();
                    figures.cost = {};
                }
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
    void check_streamed(const std::string& input) const {
        if (difference.given())
            throw UsageError(fmt::format(
                "--difference needs the whole image in memory: {} is too large for that; --size and a view show a part",
                words_of_source(input)));
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
                                                       {"--difference, --gain and --map", difference.given()}};
        for (const auto& [options, given] : others)
            if (given)
                throw UsageError(
                    fmt::format("--restore compares the whole picture with what it was: leave out {}", options));
        if (restore.merges()) return restore.merge(inputs, json);
        RestoreRun run = restore.plan(panes, method, viewing, commands);
        run.plan.restoration.antialias = sampling.antialias().value_or(true);
        if (sampling.antialias() && run.plan.restoration.kind != Restoration::Kind::shrink)
            throw UsageError("--antialias with --restore is about how pictures are shrunk: it needs a FACTOR");
        if (sampling.antialias() && run.plan.restoration.filter.method->recipe)
            throw UsageError(fmt::format("{} itself says whether it antialiases: leave --antialias out",
                                         run.plan.restoration.filter.method->id));
        run.inputs = inputs;
        run.backend = parse_backend(backend);
        run.json = json;
        run.sheet = sheet;
        if (columns) run.columns = parse_columns(*columns, !sheet.empty());
        run.plan.light = sampling.light();
        run.picture = picture;
        run.partial = partial;
        restore.run(std::move(run));
    }
};

}  // namespace

void ComparisonPlan::show_made(ComparedPane& pane) const {
    Rendition& shown = pane.picture.shown;
    const Affine positions = positions_of(shown.request, image->width(), image->height());
    shown = over_same_field(shown, made.at(pane.index).picture);
    shown.float64 = false;
    pane.label = specs[size_t(pane.index)].method->name;
    pane.against = {Against::Tells::difference, reference_name(), tells_likeness()};
    if (shown.request.outside != Outside::background) return;
    // The pixels that methods are measured on: between the first and the last samples of the image.
    const auto beyond = [](int last) { return std::nextafter(double(last), INFINITY); };
    const MeasureJob::Selection all{positions,  0, 0, beyond(image->width() - 1), beyond(image->height() - 1),
                                    is_signal()};
    if (!pane.selection) pane.selection = all;
    pane.selection->x0 = std::max(pane.selection->x0, all.x0);
    pane.selection->y0 = std::max(pane.selection->y0, all.y0);
    pane.selection->x1 = std::min(pane.selection->x1, all.x1);
    pane.selection->y1 = std::min(pane.selection->y1, all.y1);
}

void add_compare(Command app) {
    Command command = app.add_subcommand("compare", "Compare methods: errors against a reference, and times");
    auto options = std::make_shared<CompareCommand>();
    command
        .add_option(
            "IN", options->inputs,
            "Image file, signal (.csv, 1-D .npy), or test image such as @zone-plate:512; with --restore, many of "
            "them, and folders of pictures")
        .required();
    options->picture.add_to(command);
    add_partial(command, options->partial);
    command
        .add_option(
            "--panes", options->panes,
            fmt::format("1 to 16 methods, as \"SPEC; SPEC; …\"; SPEC is ID[:key=value,…] as in texelscope "
                        "render --method, or command:'PROGRAM … {{in}} {{out}} {{width}} {{height}} {{factor}}', see "
                        "--allow-commands. Default: \"{}\"; with --restore, all methods",
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
    options->commands.add_to(command);
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
    options->viewing.add_to(command);
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
        "  texelscope compare photo.png --zoom 3 --difference flip --map ember --sheet seen.png --screen 1920x53@60\n"
        "  texelscope compare photo.png --restore 4 --sheet best.png --report best.html\n"
        "  texelscope compare photos --restore 4 --judge flip,ssim\n"
        "  texelscope compare photos drawings --restore 4 --panes \"bilinear; lanczos3; bspline\" --report best.html\n"
        "  texelscope compare photo.png --method-file my.weights --panes \"bspline; lanczos3\"\n"
        "  texelscope compare small.png --reference original.png\n"
        "  texelscope compare @zone-plate --reference truth --zoom 4\n"
        "  texelscope compare scan.tif --scale 3 --memory 4G");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
