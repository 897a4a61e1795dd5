// "Which is best for these pictures?" in the window: all open pictures, one after the other, and what they say together.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/open_tiles.h"
#include "app/picture/first_look.h"
#include "app/state/panes.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/study_runners.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr int steps_of_picture = 1000;  // of the progress

struct FoundPictures {
    std::mutex mutex;
    std::vector<JudgedPicture> pictures;
};

// A picture's figures, or why there are none.
JudgedPicture judged(size_t index, RestoringPlan plan, const std::shared_ptr<Backend>& backend,
                     const RestoringProgress& progress) {
    try {
        if (!plan.image) plan.image = std::make_shared<const Image>(open_image(plan.source));
        if (!plan.image->in_memory()) throw Error(plan.source + ": it is too large for memory");
        interior_of(plan.restoration, *plan.image);
        std::vector<std::string> specs;
        for (const MethodSpec& spec : plan.specs) specs.push_back(full_spec_text(spec));
        for (const OutsideMethod& outside : plan.outside) specs.push_back(full_spec_text(outside.spec));
        return judged_picture(index, plan.source, restoring_json(restore_by_each(plan, backend, progress)), specs);
    } catch (const Cancelled&) {
        throw;
    } catch (const DeviceLost&) {
        throw;
    } catch (const Error& error) {
        return {.index = index,
                .source = plan.source,
                .problem = fmt::format("{}: {}", words_of_source(plan.source), error.what()),
                .record = {}};
    }
}

void keep(RestoringReport& report, const FoundPictures& found, const RestoringChoice& choice) {
    report.pictures = std::make_shared<const PicturesResult>(summary_of(found.pictures));
    report.found_with = choice;
}

}  // namespace

std::vector<OutsideMethod> outside_of(const AppState& state, const Document& document, bool with_results) {
    std::vector<OutsideMethod> methods;
    if (state.ui.restoring.choice.test != RestoringChoice::Test::enlarge) return methods;
    const auto add = [&](OutsideMethod method) {
        const auto same = [&](const OutsideMethod& other) { return other.spec == method.spec; };
        if (std::none_of(methods.begin(), methods.end(), same)) methods.push_back(std::move(method));
    };
    for (const Document& each : state.scene.documents) {
        if (const auto made = parse_program_source(each.source); made && is_allowed(state, made->command))
            add(program_method(made->command, {}));
        const auto result = with_results ? result_in_pane(state.scene, each) : std::nullopt;
        if (result && (state.ui.restoring.choice.every_picture || result->original == &document))
            add(result_method(result->name + "=" + result->pattern,
                              std::filesystem::path(document.source).stem().string()));
    }
    return methods;
}

// Asks about the first command of a pane that may not run yet, and puts the comparison off until there is an answer.
bool RestoringRunner::asks_first(AppState& state) {
    if (state.ui.restoring.choice.test != RestoringChoice::Test::enlarge) return false;
    for (const Document& document : state.scene.documents) {
        const auto made = parse_program_source(document.source);
        if (!made || is_allowed(state, made->command) || refused_.contains(made->command)) continue;
        asked_about_ = state.ui.dialogs.has(Dialog::question) ? "" : made->command;
        ask_about(state, *made);
        state.report.restoring.problem = fmt::format("{} is not run before you allow it.", command_name(made->command));
        return true;
    }
    return false;
}

void RestoringRunner::go_on_after_question(AppState& state) {
    if (!asked_about_ || state.ui.dialogs.has(Dialog::question)) return;
    if (!asked_about_->empty() && !is_allowed(state, *asked_about_)) refused_.insert(*asked_about_);
    asked_about_.reset();
    if (state.ui.dialogs.has(Dialog::restoring)) run(state, task::Restore{});
}

void RestoringRunner::judge_every(AppState& state) {
    RestoringReport& report = state.report.restoring;
    try {
        std::vector<RestoringPlan> plans;
        std::vector<std::string> titles;
        for (const Document* document : judged_documents(state.scene)) {
            plans.push_back(restoring_plan(state, *document));
            plans.back().panes = 0;
            titles.push_back(document->title());
        }
        if (plans.empty()) throw Error("There is no picture: open some first.");
        const auto found = std::make_shared<FoundPictures>();
        const RestoringChoice choice = state.ui.restoring.choice;
        BackgroundJob job{
            .name = restoring_run, .title = "Comparing", .dialog = Dialog::restoring, .work = {}, .keep = {}};
        job.work = [plans, titles, found](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
            for (size_t k = 0; k < plans.size(); ++k) {
                const std::string name = fmt::format("{} of {}: {}", k + 1, plans.size(), titles[k]);
                JudgedPicture picture = judged(k, plans[k], backend, [&](size_t done, size_t total) {
                    progress.step(int(k) * steps_of_picture + int(done * steps_of_picture / total),
                                  int(plans.size()) * steps_of_picture, name);
                });
                const std::lock_guard lock(found->mutex);
                found->pictures.push_back(std::move(picture));
            }
        };
        job.keep = [found, choice](AppState& now) { keep(now.report.restoring, *found, choice); };
        job.explain = [found, choice, all = plans.size()](AppState& now, Message::Level level, const std::string& why) {
            RestoringReport& end = now.report.restoring;
            const std::lock_guard lock(found->mutex);
            end.problem = level == Message::Level::info
                              ? fmt::format("Cancelled: {} of {} pictures are judged.", found->pictures.size(), all)
                              : fmt::format("There is no result: {}.", why);
            if (!found->pictures.empty()) keep(end, *found, choice);
            if (!now.ui.dialogs.has(Dialog::restoring)) post(now.messages, level, why);
        };
        background_.start(std::move(job), renderer_.backend().info());
        report.runs_with = choice;
    } catch (const Error& error) {
        report.problem = error.what();
    }
}

void RestoringRunner::run(AppState& state, const task::ShowJudged& request) const {
    const auto result = state.report.restoring.pictures;
    if (!result || request.picture >= result->pictures.size() || request.method >= result->methods.size())
        throw Error("nothing is known of that picture: compare again");
    if (result->restoration.kind != Restoration::Kind::shrink)
        throw Error("only for the test Enlarge: what the other tests made of a picture is not kept");
    const JudgedPicture& picture = result->pictures[request.picture];
    auto& documents = state.scene.documents;
    const auto document = std::find_if(documents.begin(), documents.end(),
                                       [&](const Document& each) { return each.source == picture.source; });
    if (document == documents.end()) throw Error(picture.source + " is not open any more: compare again");
    if (!document->image) {  // it has been judged, but not been shown yet
        document->image = std::make_shared<const Image>(open_image(picture.source));
        document->look = look_of(document->image);
    }
    const MethodSpec& spec = result->methods[request.method].average.spec;
    BestPanes best;
    best.original = picture.source;
    best.light = result->linear_light ? Light::linear : Light::stored;
    best.centre = {double(document->image->width()) / 2, double(document->image->height()) / 2};
    for (const RestoredMethod& method : picture.methods) {
        if (method.spec != spec) continue;
        const Metrics& m = method.inside.metrics;
        best.rmse = m.rmse;
        if (m.worst_x >= 0) best.centre = {double(m.worst_x), double(m.worst_y)};
    }
    best.specs = {spec};
    const auto winner = std::min_element(
        picture.methods.begin(), picture.methods.end(),
        [&](const RestoredMethod& a, const RestoredMethod& b) { return better(a, b, result->judge()); });
    if (winner != picture.methods.end() && winner->spec != spec) best.specs.push_back(winner->spec);
    RestoringPlan plan;
    plan.image = document->image;
    plan.light = best.light;
    plan.restoration = result->restoration;
    best.small.source = ShrunkSource{plan.restoration.factor, std::string(plan.restoration.filter.method->id),
                                     best.light, best.original, plan.restoration.antialias}
                            .text();
    best.small.image = std::make_shared<const Image>(shrunk_picture(plan, make_cpu_backend()));
    state.ui.dialogs.close(Dialog::restoring);
    show_best(state, best);
    post(state.messages, Message::Level::info,
         fmt::format("{}, where {} errs most; undo (Ctrl+Z) brings your panes back",
                     document_named(state.scene, picture.source)->title(), spec.method->name));
}

}  // namespace texelscope
