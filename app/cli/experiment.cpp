// texelscope experiment NAME: published experiments, reproduced on this machine.

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/studies/experiments/experiment.h"

namespace texelscope {
namespace {

class Bar : public ExperimentProgress {
public:
    void step(int done, int total, const std::string&, const Image*) override {
        Interrupt::check();
        if (!bar_) bar_.emplace(size_t(total));
        bar_->show(size_t(done));
    }

private:
    std::optional<Progress> bar_;
};

// The option that names methods; null: the experiment has its own.
const ExperimentOption* method_option(const Experiment& experiment) {
    for (const ExperimentOption& option : experiment.options)
        if (option.kind == ExperimentOption::Kind::methods) return &option;
    return nullptr;
}

struct ExperimentCommand {
    const Experiment* experiment = nullptr;
    std::map<std::string, std::string> values;  // by option
    std::optional<std::string> method_file;
    std::string backend = "auto", folder, report, csv, json, plot;
    bool strict = false;

    void run() const {
        ExperimentOptions options(experiment->options);
        for (const auto& [name, text] : values) options.set(name, text);
        if (const ExperimentOption* methods = method_option(*experiment); methods && method_file)
            options.set(methods->name,
                        spec_of_method_file(*method_file) + "; " + std::string(options.text(methods->name)));
        check_outputs();
        ExperimentResult result;
        on_backend(parse_backend(backend),
                   [&](const std::shared_ptr<Backend>& made) { result = measured(options, made); });
        write(result);
        if (!is_one_printed(outputs())) fmt::print("{}", result_as_text(result));
        if (strict && !result.all_agree())
            throw Error(
                fmt::format("experiment {}: at least one result differs from the expectation", experiment->name));
    }

    ExperimentResult measured(const ExperimentOptions& options, const std::shared_ptr<Backend>& made) const {
        const Interrupt interrupt;
        Bar bar;
        try {
            ExperimentResult result = run_experiment(*experiment, options, made, bar);
            Interrupt::check();
            return result;
        } catch (const Cancelled& cancelled) {
            throw Error(fmt::format("experiment {}: {}", experiment->name, cancelled.what()));
        }
    }

    std::vector<NamedOutput> outputs() const {
        return {{"--report", report}, {"--csv", csv}, {"--json", json}, {"--plot", plot}};
    }

    // Refuses outputs that cannot be written before anything is measured.
    void check_outputs() const {
        texelscope::check_outputs(outputs());
        check_plot();
        if (!folder.empty() && std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
            throw FileError(folder, "is a file; -o needs a folder");
    }

    void check_plot() const {
        if (plot.empty() || plot.ends_with(".svg")) return;
        try {
            check_output_name(plot);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--plot {}, and .svg", error.what()));
        }
    }

    void write(const ExperimentResult& result) const {
        if (!folder.empty()) write_folder(result, folder);
        if (!report.empty()) write_text(report, result_as_html(result));
        if (!csv.empty()) write_table(result.tables.front(), csv);
        if (!json.empty()) write_text(json, result_as_json(result));
        if (!plot.empty()) write_plot(result.plots.front(), plot);
    }
};

std::string help_of(const ExperimentOption& option) {
    const bool number = option.kind == ExperimentOption::Kind::integer || option.kind == ExperimentOption::Kind::real;
    return fmt::format("{}{}; default: {}", option.meaning,
                       number ? fmt::format(", {} to {}", option.least, option.most) : "", option.standard);
}

const char* type_of(ExperimentOption::Kind kind) {
    switch (kind) {
        case ExperimentOption::Kind::integer: return "N";
        case ExperimentOption::Kind::real: return "X";
        case ExperimentOption::Kind::image: return "IMAGE";
        case ExperimentOption::Kind::methods: return "SPEC[;SPEC]";
    }
    return "";
}

void add_outputs(Command command, ExperimentCommand& options) {
    constexpr const char* group = "Results";
    command.add_option("-o", options.folder, "Folder for everything: report.html, result.json, tables, plots, pictures")
        .type_name("FOLDER")
        .group(group);
    command.add_option("--report", options.report, "One HTML page that includes the plots and pictures")
        .type_name("FILE.html")
        .group(group);
    command.add_option("--csv", options.csv, "The main table").type_name("FILE").group(group);
    command
        .add_option("--json", options.json,
                    "Tables, curves and verdicts; - writes them to standard output instead of the table")
        .type_name("FILE")
        .group(group);
    command.add_option("--plot", options.plot, "The main plot, as .svg or as an image").type_name("FILE").group(group);
    command.add_flag("--strict", options.strict, "Exit with status 1 if a result differs from the expectation")
        .group(group);
}

void add_one(Command parent, const Experiment& experiment) {
    Command command = parent.add_subcommand(std::string(experiment.name), std::string(experiment.question));
    auto options = std::make_shared<ExperimentCommand>();
    options->experiment = &experiment;
    for (const ExperimentOption& option : experiment.options)
        command
            .add_option(
                fmt::format("--{}", option.name),
                [options, name = std::string(option.name)](const std::string& text) { options->values[name] = text; },
                help_of(option))
            .type_name(type_of(option.kind));
    if (const ExperimentOption* methods = method_option(experiment))
        command
            .add_option("--method-file", options->method_file,
                        fmt::format("{}; before those of --{}", method_file_help, methods->name))
            .type_name("FILE");
    command.add_option("--backend", options->backend, "Backend: auto, cuda or cpu").type_name("auto|cuda|cpu");
    add_outputs(command, *options);
    command.footer(fmt::format("{}\nSource: {}.", experiment.expectation, experiment.source));
    command.callback([options] { options->run(); });
}

void print_list() {
    size_t longest = 0;
    for (const Experiment& experiment : all_experiments()) longest = std::max(longest, experiment.name.size());
    for (const Experiment& experiment : all_experiments())
        fmt::print("{:<{}}  {}\n", experiment.name, longest, experiment.question);
}

}  // namespace

void add_experiment(Command app) {
    Command command = app.add_subcommand("experiment", "Reproduce published experiments; without a name, list them");
    auto name = std::make_shared<std::string>();
    command.require_subcommand(0, 1);
    command.add_option("NAME", *name,
                       "Name of the experiment; \"texelscope experiment NAME --help\" lists its options");
    for (const Experiment& experiment : all_experiments()) add_one(command, experiment);
    command.footer(
        "Examples:\n"
        "  texelscope experiment rotation\n"
        "  texelscope experiment rotation --methods \"bspline; lanczos3\" --report rotation.html\n"
        "  texelscope experiment convergence -o convergence");
    command.callback([command, name] {
        if (command.subcommand_given()) return;
        if (!name->empty()) find_experiment(*name);
        print_list();
    });
}

}  // namespace texelscope
