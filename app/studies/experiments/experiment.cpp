#include "app/studies/experiments/experiment.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/naming.h"
#include "app/files/reading/image_source.h"
#include "app/files/test_images/test_images.h"
#include "app/text/typed_values.h"
#include "gpu/core/near_names.h"
#include "gpu/core/stop_watch.h"

namespace texelscope {
namespace {

using Kind = ExperimentOption::Kind;

std::vector<std::string> parts_of(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(';', at), text.size());
        std::string_view part = text.substr(at, end - at);
        part.remove_prefix(std::min(part.find_first_not_of(blanks), part.size()));
        part = part.substr(0, part.find_last_not_of(blanks) + 1);
        parts.emplace_back(part);
        at = end + 1;
    }
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    return parts;
}

void check_number(const ExperimentOption& option, const std::string& text) {
    const std::string name = fmt::format("--{}", option.name);
    const double value = parse_real(name, text);
    if (option.kind == Kind::integer && value != double(int64_t(value)))
        throw UsageError(fmt::format("{} must be a whole number, not '{}'", name, text));
    if (!(value >= option.least && value <= option.most))
        throw UsageError(fmt::format("{} must be from {} to {}, not '{}'", name, option.least, option.most, text));
}

void check_methods(const ExperimentOption& option, const std::string& text) {
    const std::vector<std::string> parts = parts_of(text);
    if (parts.size() > most_experiment_methods)
        throw UsageError(
            fmt::format("--{} takes at most {} methods, not {}", option.name, most_experiment_methods, parts.size()));
    for (const std::string& part : parts) {
        if (part.empty())
            throw UsageError(fmt::format("--{} '{}' has an empty part; write SPEC; SPEC; …", option.name, text));
        try {
            parse_spec(part);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--{}: {}", option.name, error.what()));
        }
    }
}

}  // namespace

ExperimentOptions::ExperimentOptions(std::span<const ExperimentOption> known) : known_(known) {
    for (const ExperimentOption& option : known) texts_.emplace(option.name, option.standard);
}

const ExperimentOption& ExperimentOptions::find(std::string_view name) const {
    for (const ExperimentOption& option : known_)
        if (option.name == name) return option;
    throw UsageError(fmt::format("this experiment has no option --{}", name));
}

void ExperimentOptions::set(std::string_view name, const std::string& text) {
    const ExperimentOption& option = find(name);
    switch (option.kind) {
        case Kind::integer:
        case Kind::real: check_number(option, text); break;
        case Kind::methods: check_methods(option, text); break;
        case Kind::image:
            if (text.empty()) throw UsageError(fmt::format("--{} must name a file or a test image", name));
            if (text.starts_with('@')) parse_test_image(text);
            break;
    }
    texts_.find(name)->second = text;
}

const std::string& ExperimentOptions::text(std::string_view name) const {
    find(name);
    return texts_.find(name)->second;
}

bool ExperimentOptions::is_standard(std::string_view name) const { return text(name) == find(name).standard; }

double ExperimentOptions::real(std::string_view name) const { return parse_real(name, text(name)); }

std::vector<MethodSpec> ExperimentOptions::methods(std::string_view name, const MethodSpec& defaults) const {
    std::vector<MethodSpec> specs;
    for (const std::string& part : parts_of(text(name))) specs.push_back(parse_spec(part, &defaults));
    return specs;
}

std::string without_dashes(std::string text) {
    for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
        const bool begins_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
        const bool option = at + 2 < text.size() && text[at + 2] >= 'a' && text[at + 2] <= 'z';
        if (begins_word && option) text.erase(at, 2);
        else at += 2;
    }
    return text;
}

Image ExperimentOptions::image(std::string_view name) const {
    Image image = load_image(text(name));
    if (image.missing().empty()) return image;
    throw Error(fmt::format("{}: {}", text(name), words_of_missing(image.missing(), image.width(), image.height())));
}

std::span<const Experiment> all_experiments() {
    static const std::vector<Experiment> experiments = {
        rotation_experiment(),     fir_taps_experiment(),       convergence_experiment(), weights_experiment(),
        minification_experiment(), prefilter_cost_experiment(), zoom_cost_experiment(),   resize_cost_experiment()};
    return experiments;
}

const Experiment& find_experiment(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Experiment& experiment : all_experiments()) {
        if (experiment.name == name) return experiment;
        names.push_back(experiment.name);
    }
    throw UsageError(fmt::format("there is no experiment '{}'{}; choose one of {}", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
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
