#include "app/studies/experiments/experiment.h"

#include <fmt/format.h>

#include "gpu/core/stop_watch.h"

namespace texelscope {

std::span<const Experiment> all_experiments() {
    static const std::vector<Experiment> experiments = {
        rotation_experiment(),     fir_taps_experiment(),       convergence_experiment(), weights_experiment(),
        minification_experiment(), prefilter_cost_experiment(), zoom_cost_experiment(),   resize_cost_experiment()};
    return experiments;
}

const Experiment& find_experiment(std::string_view name) {
    std::string names;
    for (const Experiment& experiment : all_experiments()) {
        if (experiment.name == name) return experiment;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", experiment.name);
    }
    throw UsageError(fmt::format("there is no experiment '{}'; choose one of {}", name, names));
}

ExperimentResult run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                                const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    const StopWatch watch;
    ExperimentResult result;
    result.experiment = experiment.name;
    result.title = experiment.title;
    result.question = experiment.question;
    result.expectation = experiment.expectation;
    const BackendInfo& info = backend->info();
    result.facts = {{"program", "texelscope " TEXELSCOPE_VERSION},
                    {"backend", std::string(name_of(info.kind))},
                    {"device", info.detail.empty() ? info.device : fmt::format("{}, {}", info.device, info.detail)},
                    {"source", std::string(experiment.source)}};
    std::string command = fmt::format("texelscope experiment {}", experiment.name);
    for (const ExperimentOption& option : experiment.options) {
        const std::string& text = options.text(option.name);
        result.facts.emplace_back(option.name, text);
        if (!options.is_standard(option.name)) command += fmt::format(" --{} \"{}\"", option.name, text);
    }
    experiment.run(options, backend, progress, result);
    result.facts.emplace_back("took", fmt::format("{:.1f} s", watch.ms() / 1000));
    result.facts.emplace_back("command", command + fmt::format(" --backend {}", name_of(info.kind)));
    return result;
}

}  // namespace texelscope
