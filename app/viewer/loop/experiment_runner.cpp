#include "app/viewer/loop/experiment_runner.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/studies/experiments/result_files.h"
#include "app/viewer/loop/interface_texture.h"

namespace texelscope {
namespace {

ExperimentOptions chosen_options(const AppState& state, const Experiment& experiment) {
    ExperimentOptions options(experiment.options);
    const auto& all = state.ui.experiments.options;
    if (const auto found = all.find(std::string(experiment.name)); found != all.end())
        for (const auto& [name, text] : found->second) options.set(name, text);
    return options;
}

std::string summary(const ExperimentResult& result) {
    const auto count = [&](Verdict::Outcome outcome) {
        return std::count_if(result.verdicts.begin(), result.verdicts.end(),
                             [&](const Verdict& verdict) { return verdict.outcome == outcome; });
    };
    const auto agree = count(Verdict::Outcome::agrees), differ = count(Verdict::Outcome::differs);
    return fmt::format("{}: done, {} of {} as expected", result.title, agree, agree + differ);
}

}  // namespace

void ExperimentRunner::run(const AppState& state, const task::RunExperiment&) {
    const Experiment& experiment = find_experiment(state.ui.experiments.chosen);
    const auto result = std::make_shared<ExperimentResult>();
    BackgroundJob job{.name = std::string(experiment.name),
                      .title = std::string(experiment.title),
                      .dialog = Dialog::experiments,
                      .work = {},
                      .keep = {}};
    job.work = [&experiment, options = chosen_options(state, experiment), result](
                   const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        *result = run_experiment(experiment, options, backend, progress);
    };
    job.keep = [name = job.name, result](AppState& now) {
        post(now, Message::Level::info, summary(*result));
        now.report.experiments.results[name] = result;
    };
    background_.start(std::move(job), renderer_.backend().info());
}

void ExperimentRunner::run(AppState& state, const task::SaveExperiment& task) const {
    const std::string& path = task.path;
    const auto found = state.report.experiments.results.find(state.ui.experiments.chosen);
    if (found == state.report.experiments.results.end())
        throw Error("there is no result to save: run the experiment first");
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".html") write_text(path, result_as_html(*found->second));
    else if (extension.empty()) write_folder(*found->second, path);
    else throw FileError(path, "a report is either a page (a name ending in .html) or a folder (a name without a dot)");
    post_saved(state, path);
}

void ExperimentRunner::show_pictures(AppState& state) {
    ExperimentsReport& report = state.report.experiments;
    const auto found = report.results.find(state.ui.experiments.chosen);
    const auto wanted =
        found == report.results.end() || !state.ui.dialogs.has(Dialog::experiments) ? nullptr : found->second;
    if (wanted == pictured_) return;
    pictured_ = wanted;
    pictures_.clear();
    report.textures.clear();
    if (!wanted) return;
    for (const ResultPicture& picture : wanted->pictures) {
        pictures_.emplace_back();
        report.textures.push_back(upload(pictures_.back(), picture.image));
    }
}

}  // namespace texelscope
