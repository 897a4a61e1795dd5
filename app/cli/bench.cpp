// texelscope bench: how fast this machine interpolates, against what merely copying the bytes takes.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/tiles/open_tiles.h"
#include "app/studies/bench/bench.h"
#include "app/studies/bench/result.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

// "a; b; c", or with commas; words without blanks around them. Only the last one may be empty.
std::vector<std::string> words_of(std::string_view option, const std::string& text, char separator) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        std::string word = text.substr(at, end - at);
        word.erase(0, word.find_first_not_of(" \t\n"));
        word.erase(word.find_last_not_of(" \t\n") + 1);
        if (word.empty() && end < text.size())
            throw UsageError(
                fmt::format("{} '{}' has an empty part; separate parts with one '{}'", option, text, separator));
        if (!word.empty()) words.push_back(word);
        at = end + 1;
    }
    if (words.empty()) throw UsageError(fmt::format("{} must name at least one item, not '{}'", option, text));
    return words;
}

struct BenchCommand {
    std::string backend = "auto", json, against, pattern;
    std::optional<std::string> methods, method_file, size, source, only, threshold, save, image;
    bool quick = false, full = false, list = false;

    void run() const {
        const BenchPlan plan = this->plan();
        const double slower = threshold_value();
        if (list && !(json.empty() && against.empty() && !save))
            throw UsageError("--list cannot be combined with --json, --against or --save, because it measures nothing");
        const BenchReport before = against.empty() ? BenchReport() : read_results(against);
        const auto made = backend_for(parse_backend(backend));
        if (list) {
            for (const BenchCase& one : bench_cases(plan, made->info())) fmt::print("{}\n", one.name());
            return;
        }
        check_outputs();
        const BenchReport report = measured(made, plan);
        if (!json.empty()) write_text(json, bench_json(report));
        if (save) write_text(saved_as(report), bench_json(report));
        if (!is_standard_output(json)) fmt::print("{}", bench_tables(report));
        if (!against.empty()) compare(before, report, slower);
    }

    BenchPlan plan() const {
        BenchPlan plan;
        plan.quick = quick;
        plan.full = full;
        plan.pattern = pattern;
        if (method_file) plan.methods.push_back(parse_spec(spec_of_method_file(*method_file)));
        if (methods)
            for (const std::string& spec : words_of("--method", *methods, ';'))
                plan.methods.push_back(parse_spec(spec));
        if (size) {
            const Extent wanted = parse_size("--size", *size);
            plan.width = wanted.width;
            plan.height = wanted.height;
        }
        if (source) {
            const double side = parse_real("--source", *source);
            if (!(side >= 16 && side <= max_image_side && side == int(side)))
                throw UsageError(fmt::format("--source must be a whole number of samples from 16 to {}, not '{}'",
                                             max_image_side, *source));
            plan.source = int(side);
        }
        if (image) plan.image = *image;
        plan.open_tiles = [](const std::string& name) {
            const TilesOrWhy opened = open_tiles(name, {.worth = 0});
            if (!opened.tiles) throw Error(opened.why);
            return opened.tiles;
        };
        if (only) {
            plan.sections.clear();
            for (const std::string& word : words_of("--only", *only, ','))
                plan.sections.push_back(parse_choice<BenchSection>("--only", word));
        }
        return plan;
    }

    double threshold_value() const {
        if (!threshold) return 0.1;
        if (against.empty()) throw UsageError("--threshold needs --against FILE");
        return parse_positive("--threshold", *threshold) / 100;
    }

    // Refuses outputs that cannot be written before anything is measured.
    void check_outputs() const {
        if (!json.empty()) OutputFile(std::filesystem::path(json));
        if (save && !std::filesystem::is_directory(*save))
            throw UsageError(fmt::format("--save {}: there is no such folder", *save));
    }

    static BenchReport measured(const std::shared_ptr<Backend>& backend, const BenchPlan& plan) {
        std::unique_ptr<Progress> progress;
        return run_bench(backend, plan, [&](size_t done, size_t total) {
            if (!progress) progress = std::make_unique<Progress>(total);
            progress->show(done);
        });
    }

    static BenchReport read_results(const std::string& name) {
        const Bytes bytes = read_file(name);
        return naming(name, [&] {
            return parse_bench_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        });
    }

    std::filesystem::path saved_as(const BenchReport& report) const {
        return std::filesystem::path(*save) / (machine_name(report) + ".json");
    }

    void compare(const BenchReport& before, const BenchReport& now, double slower) const {
        const Regression regression = naming(against, [&] { return compared(before, now, slower); });
        fmt::print(is_standard_output(json) ? stderr : stdout, "{}", regression_table(regression, against));
        if (regression.slower() > 0)
            throw Error(fmt::format("{} of {} cases are slower than in {} by more than {} %", regression.slower(),
                                    regression.rows.size(), against, 100 * slower));
    }
};

void add_choice_options(Command command, BenchCommand& options) {
    command.add_option("--backend", options.backend, "Backend: auto, cuda or cpu").type_name("auto|cuda|cpu");
    command
        .add_option(
            "--only", options.only,
            "Sections: render, prefilter, resize (these by default), paper (the tables of Champagnat & Le Sant "
            "2011), frame (map, compute, draw, in a hidden window), tiles (exploring an image that is not in memory)")
        .type_name("SECTION[,SECTION]");
    command
        .add_option("--method", options.methods,
                    "Only these methods, plus bilinear for comparison; default: all methods on all paths")
        .type_name("SPEC[;SPEC]");
    command
        .add_option("--method-file", options.method_file,
                    fmt::format("{}; measured like those of --method, before them", method_file_help))
        .type_name("FILE");
    command
        .add_option(
            "--case", options.pattern,
            "Only cases whose name contains this text, or matches it as a pattern if it has * ? [ ]; chosen from the "
            "full set")
        .type_name("PATTERN");
    command.add_option("--size", options.size, "Size of the output; default: 3840x2160 on CUDA, 640x360 on the CPU")
        .type_name("WxH");
    command
        .add_option("--source", options.source,
                    "Width and height of the image that is rendered or filtered, in samples; default: 4096 on CUDA, "
                    "2048 on the CPU")
        .type_name("N");
    command
        .add_option("--image", options.image,
                    "Large image of the section tiles: a file or a test image; default: @zone-plate:100000")
        .type_name("IMAGE");
    const Option quick =
        command.add_flag("--quick", options.quick, "Only the main methods, on smaller pictures, in ten seconds");
    command.add_flag("--full", options.full, "Every combination of method, path, format and view; takes long")
        .excludes(quick);
    command.add_flag("--list", options.list, "Print the case names and exit");
}

void add_output_options(Command command, BenchCommand& options) {
    command
        .add_option("--json", options.json,
                    "Write the results to this file; - writes them to standard output instead of the table")
        .type_name("FILE")
        .group("Results");
    command.add_option("--save", options.save, "Write the results to this folder, as a file named after the machine")
        .type_name("FOLDER")
        .group("Results");
    command
        .add_option("--against", options.against,
                    "Compare with results of an earlier run, each relative to the copy of its own run; exit status 1 "
                    "if a case became slower")
        .type_name("FILE")
        .group("Results");
    command
        .add_option("--threshold", options.threshold, "Percentage by which a case must be slower to count; default: 10")
        .type_name("PERCENT")
        .group("Results");
}

}  // namespace

void add_bench(Command app) {
    Command command = app.add_subcommand("bench", "Measure how fast this machine interpolates");
    auto options = std::make_shared<BenchCommand>();
    add_choice_options(command, *options);
    add_output_options(command, *options);
    command.footer(
        "Examples:\n"
        "  texelscope bench\n"
        "  texelscope bench --only paper\n"
        "  texelscope bench --only tiles --image scan.tif\n"
        "  texelscope bench --method \"bspline; lanczos3:path=hardware\" --case /rotate/ --json -\n"
        "  texelscope bench --save bench/results\n"
        "  texelscope bench --against bench/results/nvidia-h200.json");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
