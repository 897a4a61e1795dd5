// Identifying and explaining in the background, and what is saved of it.

#include <filesystem>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/state/panes.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/loop/study_runners.h"

namespace texelscope {
namespace {

// Says in the dialog why there is no answer; a message as well if it is closed.
template <class StudyReport> auto explaining_in(StudyReport Report::*where, Dialog dialog) {
    return [where, dialog](AppState& state, Message::Level level, const std::string& why) {
        const bool cancelled = level == Message::Level::info;
        std::string sentence = cancelled ? "Cancelled" : fmt::format("There is no answer: {}", why);
        if (!sentence.ends_with('.')) sentence += '.';
        (state.report.*where).problem = sentence;
        if (!state.ui.dialogs.has(dialog)) post(state.messages, level, why);
    };
}

// What the file of an open image says, if it is a JPEG and still there.
std::optional<StoredJpeg> stored_jpeg(const std::string& source) {
    const std::string file = file_of(source);
    if (source.starts_with('@') || !std::filesystem::is_regular_file(file)) return {};
    return jpeg_of_file(read_prefix(file, jpeg_tables_within));
}

StudyProgress told_as(ExperimentProgress& progress, const char* words) {
    return [&progress, words](int done, int total) { progress.step(done, total, words); };
}

}  // namespace

void RecipeRunner::run(AppState& state, const task::Identify&) {
    const IdentifyUi& pair = state.ui.identifying;
    IdentifyReport& report = state.report.identifying;
    report.problem.clear();
    if (!why_no_pair(state.scene, pair).empty()) return;  // the dialog says it
    const Document &original = *document_named(state.scene, pair.original),
                   &result = *document_named(state.scene, pair.result);
    const auto found = std::make_shared<Identification>();
    BackgroundJob job{
        .name = "identifying", .title = "Identifying", .dialog = Dialog::identifying, .work = {}, .keep = {}};
    job.work = [found, from = original.image, to = result.image, source = result.source, from_name = original.title(),
                to_name = result.title()](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        *found = identify(backend, *from, *to, told_as(progress, "recipe after recipe"), stored_jpeg(source));
        found->original_name = from_name;
        found->result_name = to_name;
    };
    job.keep = [found, from = original.image, to = result.image, asked = pair](AppState& now) {
        now.report.identifying = {
            found, std::make_shared<const ExperimentResult>(report_of(*found)), asked.original, asked.result, from, to,
            {}};
        now.ui.identifying.response = false;
        now.ui.identifying.zoom = {};
    };
    job.explain = explaining_in(&Report::identifying, Dialog::identifying);
    start(std::move(job), report.problem);
}

void RecipeRunner::run(AppState& state, const task::Explain&) {
    ExplainReport& report = state.report.explaining;
    report.problem.clear();
    const ExplainedPair pair = explained_pair(state.scene, state.ui.explaining);
    if (!pair.problem.empty()) return;
    const Document& document = *explained_document(state.scene);
    const auto found = std::make_shared<Explanation>();
    BackgroundJob job{.name = "explaining",
                      .title = "Explaining",
                      .dialog = Dialog::explaining,
                      .work = {},
                      .keep = {},
                      .quiet = 0.3};
    job.work = [found, pair, image = document.image, name = document.title()](const std::shared_ptr<Backend>& backend,
                                                                              ExperimentProgress& progress) {
        *found = explain(backend, *image, parse_recipe(pair.from), parse_recipe(pair.to), pair.size,
                         told_as(progress, "ingredient after ingredient"));
        found->source = name;
    };
    job.keep = [found, image = document.image, source = document.source](AppState& now) {
        now.report.explaining = {found, std::make_shared<const ExperimentResult>(report_of(*found)), source, image, {}};
    };
    job.explain = explaining_in(&Report::explaining, Dialog::explaining);
    start(std::move(job), report.problem);
}

void RecipeRunner::start(BackgroundJob job, std::string& problem) {
    try {
        background_.start(std::move(job), renderer_.backend().info());
    } catch (const Error& error) {
        problem = fmt::format("{}.", error.what());
    }
}

void RecipeRunner::run(AppState& state, const task::SaveStudy& task) const {
    const auto& found =
        task.of == Dialog::identifying ? state.report.identifying.report : state.report.explaining.report;
    if (!found) throw Error("there is no answer to save yet");
    const std::string extension = std::filesystem::path(task.path).extension().string();
    if (extension == ".html") write_text(task.path, result_as_html(*found));
    else if (extension == ".json") write_text(task.path, result_as_json(*found));
    else if (extension == ".csv") write_table(found->tables.front(), task.path);
    else if (extension.empty()) write_folder(*found, task.path);
    else
        throw FileError(task.path,
                        "a report is a page (.html), figures (.json, .csv) or a folder (a name without a dot)");
    post_saved(state.messages, task.path);
}

}  // namespace texelscope
