#include "app/viewer/loop/study_runners.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/drawing/sheet.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/loop/thumbnails.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

ExperimentOptions chosen_options(const ExperimentsUi& experiments, const Experiment& experiment) {
    ExperimentOptions options(experiment.options);
    const auto& all = experiments.options;
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

void ExperimentRunner::run(AppState& state, const task::RunExperiment&) {
    const Experiment& experiment = find_experiment(state.ui.experiments.chosen);
    const auto result = std::make_shared<ExperimentResult>();
    BackgroundJob job{.name = std::string(experiment.name),
                      .title = std::string(experiment.title),
                      .dialog = Dialog::experiments,
                      .work = {},
                      .keep = {}};
    job.work = [&experiment, options = chosen_options(state.ui.experiments, experiment), result](
                   const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        *result = run_experiment(experiment, options, backend, progress);
    };
    job.keep = [name = job.name, result](AppState& now) {
        if (!now.ui.dialogs.has(Dialog::experiments)) post(now.messages, Message::Level::info, summary(*result));
        now.report.experiments.results[name] = result;
    };
    job.explain = [name = job.name, title = job.title](AppState& now, Message::Level level, const std::string& why) {
        if (level != Message::Level::error || !now.ui.dialogs.has(Dialog::experiments))
            return post(now.messages, level, fmt::format("{}: {}", title, why));
        now.report.experiments.failed = name;
        now.report.experiments.why = why;
    };
    background_.start(std::move(job), renderer_.backend().info());
    state.report.experiments.failed.clear();
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
    post_saved(state.messages, path);
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

namespace {

constexpr size_t best_shown = 4;

// Methods with keys first, since most choose among them, and the slow polar ones last: a first answer stands soon.
std::vector<const MethodInfo*> in_order_of_interest() {
    std::vector<const MethodInfo*> methods(all_methods().begin(), all_methods().end());
    const auto place = [](const MethodInfo* method) {
        return is_polar(*method) ? 2 : method->rank > 0 && method->rank < 10 ? 0 : 1;
    };
    std::stable_sort(methods.begin(), methods.end(),
                     [&](const MethodInfo* a, const MethodInfo* b) { return place(a) < place(b); });
    return methods;
}

std::vector<MethodSpec> specs_of(const Scene& scene, const RestoringUi& restoring, const Restoration& restoration) {
    std::vector<MethodSpec> specs;
    const auto add = [&](const MethodSpec& spec) {
        if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
    };
    if (restoring.choice.panes_only)
        for (const int pane : panes_in_view(scene)) add(scene.panes[size_t(pane)].spec);
    const MethodSpec defaults = restoring_defaults(restoration);
    if (specs.empty())
        for (const MethodInfo* method : in_order_of_interest()) add(parse_spec(method->id, &defaults));
    return specs;
}

}  // namespace

RestoringPlan restoring_plan(const AppState& state, const Document& document) {
    const Scene& scene = state.scene;
    const RestoringUi& restoring = state.ui.restoring;
    const RestoringChoice& choice = restoring.choice;
    RestoringPlan plan;
    plan.source = document.source;
    plan.image = document.image;
    if (const auto part = restored_part(scene, restoring); part && !choice.every_picture) {
        plan.whole = document.image;
        plan.part = *part;
        plan.image = std::make_shared<const Image>(part_of(*plan.whole, *part));
    }
    plan.light = scene.light;
    plan.restoration.filter = choice.filter.empty() ? usual_filter() : parse_spec(choice.filter);
    plan.restoration.antialias = choice.antialias || plan.restoration.filter.method->recipe;
    switch (choice.test) {
        case RestoringChoice::Test::enlarge:
            plan.restoration.kind = Restoration::Kind::shrink;
            plan.restoration.factor = choice.factor;
            break;
        case RestoringChoice::Test::reduce:
            plan.restoration.kind = Restoration::Kind::reduce;
            plan.restoration.factor = choice.factor;
            break;
        case RestoringChoice::Test::rotate:
            plan.restoration.kind = Restoration::Kind::rotate;
            plan.restoration.step = choice.degrees;
            plan.restoration.times = choice.turns;
            break;
        case RestoringChoice::Test::shift:
            plan.restoration.kind = Restoration::Kind::shift;
            plan.restoration.step = choice.samples;
            plan.restoration.times = choice.shifts;
            break;
    }
    plan.specs = specs_of(scene, restoring, plan.restoration);
    plan.panes = best_shown;
    plan.outside = outside_of(state, document, !plan.whole);
    plan.judges = parse_judges("by", choice.judge);
    plan.pixels_per_degree = scene.difference.pixels_per_degree;
    return plan;
}

namespace {

bool same_work(const RestoringPlan& a, const RestoringPlan& b) {
    const auto same = [](const OutsideMethod& one, const OutsideMethod& other) { return one.spec == other.spec; };
    return a.picture() == b.picture() && a.part == b.part && a.light == b.light && a.restoration == b.restoration &&
           a.specs == b.specs && a.judges == b.judges && a.pixels_per_degree == b.pixels_per_degree &&
           std::ranges::equal(a.outside, b.outside, same);
}

// What is being done after `done` of `total` parts: each method, then the best ones once more for the worst spot.
std::string words_at(const RestoringPlan& plan, size_t done, size_t total) {
    const size_t methods = plan.specs.size() + plan.outside.size(), panes = std::min(plan.panes, methods);
    const size_t steps = (total - std::min(methods, total)) / (methods + panes), method = done / (steps + 1);
    if (method < plan.specs.size()) return std::string(plan.specs[method].method->name);
    return method < methods ? std::string(plan.outside[method - plan.specs.size()].spec.method->name)
                            : "the spot where the best one errs most";
}

std::string without_stop(std::string sentence) {
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

// What panes show of a part lies in the whole picture.
RestoringPlan of_whole(RestoringPlan plan) {
    plan.image = plan.picture();
    return plan;
}

BackgroundJob::Work work_of(const RestoringPlan& plan, const std::shared_ptr<RestoringRunner::Found>& found) {
    return [plan, found](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        // First, so that a comparison that is cancelled can be shown as well.
        if (plan.restoration.kind == Restoration::Kind::shrink)
            found->small = std::make_shared<const Image>(shrunk_picture(of_whole(plan), backend));
        found->result = restore_by_each(
            plan, backend,
            [&](size_t done, size_t total) { progress.step(int(done), int(total), words_at(plan, done, total)); },
            [&](const RestoringResult& now) {
                const std::lock_guard lock(found->mutex);
                found->so_far = std::make_shared<const RestoringResult>(now);
            });
    };
}

// The document of a result's picture, if it is open and still the same picture.
const Document* document_of(const Scene& scene, const RestoringResult& result) {
    const Document* document = document_named(scene, result.plan.source);
    return document && document->image == result.plan.picture() ? document : nullptr;
}

// "Cancelled: Quintic B-spline is the best so far, 31.24 dB, but only 22 of 24 methods are compared."
std::string words_of_part(const RestoringResult& part) {
    const size_t done = part.methods.size(), all = part.plan.specs.size();
    const std::string best = best_so_far(part);
    if (done == all)  // while the worst spot was looked at
        return best.empty() ? "Cancelled."
                            : fmt::format("Cancelled: {}; there are no pictures of its worst spot.", best);
    return fmt::format("Cancelled: {}{}only {} of {} methods {} compared.", best, best.empty() ? "" : ", but ", done,
                       all, done == 1 ? "is" : "are");
}

// Keeps the methods that are done of a comparison that was cancelled, as if no others had been asked for.
void keep_part(RestoringReport& report, RestoringResult part, const std::shared_ptr<const Image>& small,
               const RestoringChoice& choice) {
    report.problem = words_of_part(part);
    part.plan.specs.clear();
    for (const RestoredMethod& method : part.methods) part.plan.specs.push_back(method.spec);
    report.result = std::make_shared<const RestoringResult>(std::move(part));
    report.small = small;
    report.found_with = choice;
}

BackgroundJob job_of(const RestoringPlan& plan, const RestoringChoice& choice,
                     const std::shared_ptr<RestoringRunner::Found>& found) {
    BackgroundJob job{.name = restoring_run,
                      .title = "Comparing",
                      .dialog = Dialog::restoring,
                      .work = work_of(plan, found),
                      .keep = {}};
    job.keep = [found, choice](AppState& state) {
        RestoringReport& report = state.report.restoring;
        report.pictures.reset();
        report.result = {found, &found->result};
        report.small = found->small;
        report.found_with = choice;
    };
    job.explain = [found, choice](AppState& state, Message::Level level, const std::string& why) {
        RestoringReport& report = state.report.restoring;
        report.problem =
            level == Message::Level::info ? "Cancelled." : fmt::format("There is no result: {}.", without_stop(why));
        if (level == Message::Level::info && found->so_far) keep_part(report, *found->so_far, found->small, choice);
        if (!state.ui.dialogs.has(Dialog::restoring)) post(state.messages, level, why);
    };
    return job;
}

}  // namespace

void RestoringRunner::run(AppState& state, const task::Restore& request) {
    RestoringReport& report = state.report.restoring;
    if (background_.running() && state.report.background.name == restoring_run) {
        again_ = true;
        return background_.cancel();
    }
    again_ = false;
    report.problem.clear();
    if (asks_first(state)) return;
    const bool known = report.pictures && report.found_with == state.ui.restoring.choice;
    if (state.ui.restoring.choice.every_picture) return request.unless_known && known ? void() : judge_every(state);
    try {
        const Document* document = restored_document(state.scene);
        if (!document || !document->image) throw Error("There is no picture: open one first.");
        if (!document->image->in_memory())
            throw Error("Finding the best method needs the whole image in memory, and this one is too large for that.");
        const RestoringPlan plan = restoring_plan(state, *document);
        if (request.unless_known && report.result && same_work(plan, report.result->plan)) return;
        interior_of(plan.restoration, *plan.image);  // refuses what is too small
        const auto found = std::make_shared<Found>();
        background_.start(job_of(plan, state.ui.restoring.choice, found), renderer_.backend().info());
        report.runs_with = state.ui.restoring.choice;
        found_ = found;
    } catch (const Error& error) {
        report.problem = error.what();
    }
}

void RestoringRunner::follow(AppState& state) {
    if (again_ && !background_.running()) run(state, task::Restore{});
    go_on_after_question(state);
    if (!background_.running()) found_.reset();
    if (found_) {
        const std::lock_guard lock(found_->mutex);
        state.report.restoring.so_far = found_->so_far;
    } else {
        state.report.restoring.so_far.reset();
    }
    if (state.report.restoring.result != pictured_) show_pictures(state);
}

void RestoringRunner::show_pictures(AppState& state) {
    RestoringReport& report = state.report.restoring;
    pictured_ = report.result;
    pictures_.clear();
    report.spots.clear();
    if (!pictured_ || !pictured_->spot) return;
    const Metrics& worst = pictured_->methods.front().inside.metrics;
    const WorstSpot& spot = *pictured_->spot;
    report.spot_middle = worst.worst_x < 0 ? Point{spot.size.width / 2.0, spot.size.height / 2.0}
                                           : Point{worst.worst_x - spot.x + 0.5, worst.worst_y - spot.y + 0.5};
    for (const SheetPane& pane : restored_panes(*pictured_)) {
        const bool original = pane.against.tells == Against::Tells::nothing;
        const std::string caption = original
                                        ? spot_place(*pictured_)
                                        : fmt::format("{} dB over the interior", fine_psnr_text(pane.metrics->psnr));
        report.spots.push_back({upload(pictures_.emplace_back(), pane.picture, true), pane.label, caption});
    }
}

void RestoringRunner::run(AppState& state, const task::SaveRestoring& request) const {
    const std::string& path = request.path;
    const auto result = state.report.restoring.result;
    const std::string extension = std::filesystem::path(path).extension().string();
    if (const auto pictures = state.report.restoring.pictures; pictures && state.ui.restoring.choice.every_picture) {
        if (extension == ".html") write_text(path, result_as_html(pictures_report(*pictures)));
        else if (extension == ".json") write_text(path, pictures_json(*pictures));
        else if (extension == ".csv") write_text(path, pictures_csv(*pictures));
        else throw FileError(path, "figures of many pictures are saved as a page (.html), .json or .csv");
        return post_saved(state.messages, path);
    }
    if (!result) throw Error("there is no comparison to save yet");
    if (extension == ".html") write_text(path, result_as_html(restoring_report(*result)));
    else if (extension == ".json") write_text(path, restoring_json(*result));
    else if (extension == ".csv") write_table(restoring_report(*result).tables.front(), path);
    else if (extension.empty()) write_folder(restoring_report(*result), path);
    else write_image(restoring_sheet(*result), path);
    post_saved(state.messages, path);
}

void RestoringRunner::run(AppState& state, const task::ShowBest&) const {
    const RestoringReport& report = state.report.restoring;
    if (!report.result || !report.small) throw Error("there is no comparison of enlarged pictures to show");
    const RestoringResult& result = *report.result;
    if (!document_of(state.scene, result)) throw Error(result.plan.source + " is not open any more: compare again");
    BestPanes best;
    for (const RestoredMethod& method : result.methods)
        if (best.specs.size() < best_shown && !is_outside(method.spec)) best.specs.push_back(method.spec);
    best.original = result.plan.source;
    best.light = result.plan.light;
    best.small.source =
        ShrunkSource{result.plan.restoration.factor, std::string(result.plan.restoration.filter.method->id), best.light,
                     best.original, result.plan.restoration.antialias}
            .text();
    best.small.image = report.small;
    const Metrics& worst = result.methods.front().inside.metrics;
    best.rmse = worst.rmse;
    best.centre = worst.worst_x < 0 ? Point{result.plan.image->width() / 2.0, result.plan.image->height() / 2.0}
                                    : Point{double(worst.worst_x), double(worst.worst_y)};
    if (const SampleRegion& part = result.plan.part; result.plan.whole) {
        best.centre.x += double(part.x);
        best.centre.y += double(part.y);
        best.selection = Region{double(part.x) - 0.5, double(part.y) - 0.5, double(part.x + part.width) - 0.5,
                                double(part.y + part.height) - 0.5};
    }
    state.ui.dialogs.close(Dialog::restoring);
    show_best(state, best);
    post_about(
        state, Message::Level::info, "panes",
        fmt::format(
            "The best {} enlarge the shrunk picture; figures are against {}. Undo (Ctrl+Z) brings your panes back",
            best.specs.size(), state.scene.document()->title()),
        [panes = state.scene.panes.size()](const AppState& then) { return then.scene.panes.size() == panes; });
}

}  // namespace texelscope
