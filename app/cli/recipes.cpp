// texelscope identify ORIGINAL RESULT, and texelscope explain IN: whose rule made a picture, and what rules cost.

#include <filesystem>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/picture/rendered_rows.h"
#include "app/studies/recipes/recipe_study.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// --json, --report and -o of both commands.
struct StudyOutputs {
    std::string json, report, folder, backend = "auto";

    void add_to(Command command) {
        command.add_option("--json", json, "Tables and plots as JSON; - is standard output").type_name("FILE");
        command.add_option("--report", report, "One HTML page that includes the plots and pictures").type_name("FILE");
        command.add_option("-o", folder, "Folder for everything: report.html, result.json, tables, plots, pictures")
            .type_name("FOLDER");
        command.add_option("--backend", backend, "auto (default), cuda or cpu").type_name("auto|cuda|cpu");
    }
    std::vector<NamedOutput> named() const { return {{"--json", json}, {"--report", report}}; }
    void check() const { check_outputs(named()); }
    void write(const ExperimentResult& result) const {
        if (!folder.empty()) write_folder(result, folder);
        if (!report.empty()) write_text(report, result_as_html(result));
        if (!json.empty()) write_text(json, result_as_json(result));
    }
};

struct IdentifyCommand {
    std::string original, result;
    std::optional<std::string> weights;
    StudyOutputs outputs;
    bool partial = false;

    void run() const {
        outputs.check();
        const Image from = load_whole(original, partial), to = load_whole(result, partial);
        const std::optional<StoredJpeg> jpeg = stored_jpeg();
        Identification found;
        const Interrupt interrupt;
        on_backend(parse_backend(outputs.backend), [&](const std::shared_ptr<Backend>& backend) {
            std::optional<Progress> bar;
            found = identify(
                backend, from, to,
                [&](int done, int total) {
                    Interrupt::check();
                    if (!bar) bar.emplace(size_t(total));
                    bar->show(size_t(done));
                },
                jpeg);
        });
        found.original_name = original;
        found.result_name = result;
        const ExperimentResult report = report_of(found);
        outputs.write(report);
        if (weights) write_weights(found);
        if (is_one_printed(outputs.named())) return;
        for (const std::string& sentence : found.findings) fmt::print("{}\n", sentence);
        fmt::print("\n");
        print_ranking(found);
    }

    // What the result's file says of its quantisation.
    std::optional<StoredJpeg> stored_jpeg() const {
        if (!std::filesystem::is_regular_file(result)) return {};
        return jpeg_of_file(read_prefix(result, jpeg_tables_within));
    }

    void write_weights(const Identification& found) const {
        if (!found.measured)
            throw Error("a recipe fits, or the pictures are too small: there are no measured weights to write");
        write_text(*weights, found.measured->weights);
    }

    static void print_ranking(const Identification& found) {
        constexpr size_t most = 10;
        const RankedShare share = ranked_share(found);
        fmt::print("{:<44} {:<17} {:>10} {:>10} {:>9}\n", "recipe", "verdict", "largest", "mean", share.name);
        for (size_t k = 0; k < std::min(most, found.ranked.size()); ++k) {
            const RankedRecipe& ranked = found.ranked[k];
            fmt::print("{:<44} {:<17} {:>10.3g} {:>10.3g} {:>9.3f}\n", ranked.recipe.text, name_of(ranked.match),
                       ranked.closeness.largest, ranked.closeness.mean, share.percent(ranked));
        }
    }
};

struct ExplainCommand {
    std::string input, from, to;
    std::optional<std::string> size, factor;
    StudyOutputs outputs;
    bool partial = false;

    void run() const {
        outputs.check();
        const BoundRecipe first = parse_recipe(from), last = parse_recipe(to);
        if (!size && !factor) throw UsageError("explain needs --size WxH or --factor F");
        const Image image = load_whole(input, partial);
        if (image.one_dimensional()) throw UsageError("signals have no recipes: give a picture");
        WholePicture picture;
        if (size) picture.size = parse_size("--size", *size);
        if (factor) picture.factor = parse_factors("--factor", *factor);
        const Extent extent = extent_of(picture, shape_of(image));
        Explanation found;
        on_backend(parse_backend(outputs.backend), [&](const std::shared_ptr<Backend>& backend) {
            found = explain(backend, image, first, last, extent);
        });
        found.source = input;
        const ExperimentResult report = report_of(found);
        outputs.write(report);
        if (!is_one_printed(outputs.named())) fmt::print("{}", result_as_text(report));
    }
};

}  // namespace

void add_identify(Command app) {
    Command command = app.add_subcommand("identify", "Say which library's rule made a picture of another one");
    auto options = std::make_shared<IdentifyCommand>();
    command.add_option("original", options->original, "The picture that was resized").type_name("ORIGINAL").required();
    command.add_option("result", options->result, "What it became: of any size, a crop of that, or a JPEG")
        .type_name("RESULT")
        .required();
    command
        .add_option("--weights", options->weights,
                    "Where no recipe fits: the measured weights, as a file that --method-file takes")
        .type_name("FILE");
    options->outputs.add_to(command);
    add_partial(command, options->partial);
    command.footer(
        "Examples:\n"
        "  texelscope identify photo.png thumbnail.png\n"
        "  texelscope identify photo.png mystery.png --report whose.html --weights mystery.weights");
    command.callback([options] { options->run(); });
}

void add_explain(Command app) {
    Command command = app.add_subcommand("explain", "Show what each difference between two libraries' rules changes");
    auto options = std::make_shared<ExplainCommand>();
    command.add_option("input", options->input, "Image or @test-image").type_name("IN").required();
    command.add_option("--from", options->from, "The first recipe, as in like:pillow/bicubic")
        .type_name("RECIPE")
        .required();
    command.add_option("--to", options->to, "The second recipe").type_name("RECIPE").required();
    const Option size = command.add_option("--size", options->size, "Size of the results, in pixels").type_name("WxH");
    command.add_option("--factor", options->factor, "Output pixels per sample, one for both axes or x,y")
        .type_name("F[,FY]")
        .excludes(size);
    options->outputs.add_to(command);
    add_partial(command, options->partial);
    command.footer(
        "Examples:\n"
        "  texelscope explain photo.png --from like:pillow/bicubic --to like:opencv/cubic --size 224x224\n"
        "  texelscope explain photo.png --from like:torch/bicubic --to like:pillow/bicubic --factor 0.25 -o steps");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
