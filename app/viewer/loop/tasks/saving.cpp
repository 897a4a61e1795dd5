// Tasks that save or copy what is shown: views, sheets, profiles. What takes long is made in the background.

#include "app/viewer/loop/tasks/saving.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/numbers.h"
#include "app/picture/rendered_rows.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/tasks/steps.h"
#include "gpu/core/parallel.h"

namespace texelscope {

namespace {

// Before anything is computed for it. Throws UsageError, FileError.
void check_output(const std::string& path) {
    check_output_name(path);
    OutputFile output{std::filesystem::path(path)};
}

}  // namespace

void SavingTasks::run(AppState& state, const task::SaveView& request) {
    const int pane = state.scene.active;
    if (!image_of(state.scene, pane) || output_extent(state, pane).empty()) return;
    check_output(request.path);
    const Extent size = request.size.empty() ? output_extent(state, pane) : request.size;
    saver_.save(saved_view_beside(state, pane, size, renderer_.sources()), request.path);
}

void SavingTasks::run(AppState& state, const task::SaveSheet& request) {
    const std::string& path = request.path;
    check_output(path);
    SheetMaker maker(state);
    if (maker.by_regions()) return saver_.save(sheet_beside(std::move(maker), renderer_.backend().info()), path);
    if (sheet_) throw Error("a sheet is being made already: cancel it or wait for it to finish");
    sheet_.emplace(Sheet{std::move(maker), path});
    bar_ = false;  // this one's comes first
    state.work = Work{said_of("Sheet"), 0, sheet_->maker.total()};
}

void SavingTasks::work_on_sheet(AppState& state) {
    if (sheet_->maker.done() < sheet_->maker.total()) {
        sheet_->maker.step(renderer_.sources());
        state.work->done = sheet_->maker.done();
        state.work->text = said_of("Sheet");
        return;
    }
    const Sheet finished = std::move(*sheet_);
    sheet_.reset();
    state.work.reset();
    saver_.save(made_already(std::make_shared<const Image>(finished.maker.sheet())), finished.path);
}

namespace {

constexpr const char* goes_on = "the window stays open; what is being saved goes on";

}  // namespace

// Esc while the window waits to be closed: it stays, and what is being saved goes on.
bool SavingTasks::stays(AppState& state) {
    if (!closing_ || !state.work || !std::exchange(state.work->cancelled, false)) return false;
    closing_ = false;
    post(state.messages, Message::Level::info, goes_on);
    return true;
}

bool SavingTasks::work(AppState& state) {
    if (!sheet_) return false;
    stays(state);
    const bool fine =
        state.work && !state.work->cancelled && attempt(renderer_, state.messages, "", [&] { work_on_sheet(state); });
    if (!fine) {
        const bool cancelled = state.work && state.work->cancelled;
        if (cancelled) post(state.messages, Message::Level::info, "the sheet was not saved: cancelled");
        if (!cancelled) closing_ = false;  // the window is still needed, to say why
        sheet_.reset();
        state.work.reset();
    }
    return true;
}

void SavingTasks::run(AppState& state, const task::SaveProfile& request) {
    if (state.report.findings.profile.channels == 0)
        throw Error("there is no profile: open its plot (I) and move over the image");
    std::vector<std::string> specs;
    for (const Pane& pane : state.scene.panes) specs.push_back(to_string(pane.spec));
    write_text(request.path, profile_as_csv(state.report.findings.profile, specs));
    post_saved(state.messages, request.path);
}

void SavingTasks::run(AppState& state, const task::SaveCurves& request) {
    write_text(request.path, request.svg);
    post_saved(state.messages, request.path);
}

void SavingTasks::run(AppState& state, const task::SaveMethod& request) {
    write_text(request.path, request.text);
    post_saved(state.messages, request.path);
    remember_recent(state.ui.recent, absolute_source(request.path));
}

void SavingTasks::run(AppState& state, const task::SaveSession& request) {
    write_session(session_of(state.scene, state.ui), request.path);
    post_saved(state.messages, request.path);
    remember_recent(state.ui.recent, absolute_source(request.path));
    for (const std::string& name : pushed_names(state.scene))
        post(
            state.messages, Message::Level::info,
            name.starts_with(pasted_name)
                ? name + " was pasted: the session has its view, not its samples; save the picture to a file"
                : name + " was pushed: the session has its view, not its samples; push it before you open the session");
}

bool SavingTasks::asks_first(AppState& state) const {
    const std::optional<Dialog> dialog = background_.dialog();
    const bool asked =
        state.ui.dialogs.has(Dialog::question) && std::holds_alternative<task::Quit>(state.question.task);
    if (!dialog || asked) return false;
    const std::string_view works = dialog == Dialog::experiments ? "An experiment is still running"
                                   : dialog == Dialog::restoring ? "The methods are still being compared"
                                                                 : "Recipes are still being compared";
    ask(state, {.title = "Quit?",
                .text = fmt::format("{}; quit?", works),
                .details = "What it has found so far would be lost.",
                .yes = "Quit",
                .task = task::Quit{true}});
    return true;
}

bool SavingTasks::ends(AppState& state, bool asked, bool seen) {
    asked = std::exchange(quit_, false) || asked;
    const bool sure = std::exchange(sure_, false);
    if (asked && closing_) {
        cancel_saving();
        return true;
    }
    if (asked && !sure && seen && asks_first(state)) return false;
    if (!closing_ && (asked || sure) && saves())
        post(
            state.messages, Message::Level::info,
            "the window closes when what is being saved is written; Esc keeps it open, closing it again gives the file up");
    closing_ = closing_ || asked || sure;
    if (closing_) recording_.stop(state);
    return closing_ && !saves();
}

void SavingTasks::cancel_saving() {
    sheet_.reset();
    saver_.cancel_all();
    if (exports()) background_.cancel();
}

std::string SavingTasks::said_of(const std::string& work) const { return closing_ ? work + ", then close" : work; }

// At the lower edge, of what has no dialog.
void SavingTasks::show_progress(AppState& state) {
    const BackgroundReport& background = state.report.background;
    const bool exporting = background.running() && !background.dialog && !(closing_ && state.report.saving.running());
    const BackgroundReport& now = exporting ? background : state.report.saving;
    const bool shown = now.running() && !sheet_;
    if (shown && bar_) stays(state);
    if (shown && bar_ && state.work && state.work->cancelled) exporting ? background_.cancel() : saver_.cancel();
    else if (shown) state.work = Work{fmt::format("{}: {}", said_of(now.title), now.words), now.done, now.total};
    else if (bar_) state.work.reset();
    if (!saves()) withdraw(state.messages, goes_on);
    bar_ = shown;
}

void SavingTasks::run(AppState& state, const task::CopyPicture&) {
    const int pane = state.scene.active;
    if (!image_of(state.scene, pane)) return;
    saver_.copy(saved_view_beside(state, pane, output_extent(state, pane), renderer_.sources()));
}

void SavingTasks::run(AppState& state, const task::Export& request) {
    BackgroundJob job = export_job(state.scene, state.ui.exporting, request.path);
    job.explain = [this, explain = std::move(job.explain)](AppState& then, Message::Level level,
                                                           const std::string& why) {
        export_failed_ = level == Message::Level::error;
        explain(then, level, why);
    };
    background_.start(std::move(job), renderer_.backend().info());
}

void SavingTasks::follow(AppState& state) {
    saver_.follow(state);
    const bool failed = std::exchange(export_failed_, false) || recording_.take_failure();
    if (saver_.take_failure() || failed) closing_ = false;  // the window is still needed, for another name
    show_progress(state);
}

void SavingTasks::give_up_device(AppState& state, const std::string& why) {
    saver_.give_up_device(state, why);
    if (!sheet_) return;
    closing_ = false;
    sheet_.reset();
    state.work.reset();
    post(state.messages, Message::Level::error, "the sheet was not saved: " + why);
}

namespace {

constexpr double shown_after = 0.3;  // seconds: what fills a screen is written by then

BackgroundJob job_of(const char* name, const char* title) {
    BackgroundJob job{.name = name, .title = title, .dialog = {}, .work = {}, .keep = {}};
    job.reports_its_end = true;
    job.quiet = shown_after;
    return job;
}

std::string pixels_of(const Image& image) { return fmt::format("{}×{} pixels", image.width(), image.height()); }

struct Made {
    std::shared_ptr<const Image> image;
    int percent;  // of all work
};

Made made(const PictureBeside& picture, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    constexpr int of_one = 20, of_panes = 90;
    lower_priority();
    progress.step(0, 100, "computing");
    int percent = of_one;
    auto image = picture.make(backend, [&](int done, int total) {
        percent = of_panes;
        progress.step(of_panes * done / total, 100, fmt::format("computing pane {} of {}", done + 1, total));
    });
    return {std::move(image), percent};
}

int after(int percent, double part) { return percent + int((100 - percent) * part); }

BackgroundJob save_job(const PictureBeside& picture, const std::string& path) {
    BackgroundJob job = job_of("save", "Save");
    const auto saved = std::make_shared<std::string>();
    job.work = [picture, path, saved](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        const auto [image, percent] = made(picture, backend, progress);
        *saved = pixels_of(*image);
        WriteOptions options;
        options.progress = [&, from = percent](double part) {
            progress.step(std::min(after(from, part), 99), 100, "writing " + *saved);
        };
        options.last_check = [&] { progress.step(100, 100, "written"); };
        const std::string lost = words_of(write_image(*image, path, options));
        if (!lost.empty()) *saved += "; " + lost;
    };
    job.keep = [path, saved](AppState& now) { post_saved(now.messages, path, *saved); };
    job.explain = [path](AppState& now, Message::Level level, const std::string& why) {
        const bool cancelled = level == Message::Level::info;
        if (cancelled) post(now.messages, level, path + ": saving it was cancelled");
        else reopen_saving(now.ui, Dialog::save, why);  // which says it
    };
    return job;
}

BackgroundJob copy_job(const PictureBeside& picture) {
    BackgroundJob job = job_of("copy", "Copy");
    job.work = [picture](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        const auto [image, percent] = made(picture, backend, progress);
        const std::string size = pixels_of(*image);
        copy_picture_to_clipboard(
            *image, [&, from = percent](double part) { progress.step(after(from, part), 100, "encoding " + size); });
    };
    job.keep = [](AppState& now) { post_about(now, Message::Level::info, "copied", "copied: the picture"); };
    job.explain = [](AppState& now, Message::Level level, const std::string& why) {
        post(now.messages, level, level == Message::Level::info ? "copying the picture was cancelled" : why);
    };
    return job;
}

}  // namespace

PictureSaver::~PictureSaver() {
    while (works()) try {
            runner_.complete();
            begin_next();
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
            std::fputs(fmt::format("texelscope: {}\n", error.what()).c_str(), stderr);
        }
}

void PictureSaver::save(const PictureBeside& picture, const std::string& path) {
    add({save_job(picture, path), picture.device, path + " was not saved"});
}

void PictureSaver::copy(const PictureBeside& picture) {
    add({copy_job(picture), picture.device, "the picture was not copied"});
}

void PictureSaver::cancel_all() {
    waiting_.clear();
    cancel();
}

void PictureSaver::add(Wanted wanted) {
    wanted.job.explain = [this, explain = std::move(wanted.job.explain)](AppState& state, Message::Level level,
                                                                         const std::string& why) {
        failed_ = failed_ || level == Message::Level::error;
        explain(state, level, why);
    };
    waiting_.push_back(std::move(wanted));
    begin_next();
}

void PictureSaver::give_up_device(AppState& state, const std::string& why) {
    for (const Wanted& each : waiting_)
        if (each.on_gpu()) each.job.explain(state, Message::Level::error, each.not_done + ": " + why);
    std::erase_if(waiting_, [](const Wanted& each) { return each.on_gpu(); });
    runner_.end_cancelled();
    if (runner_.running() && now_.on_gpu()) runner_.give_up(state, now_.not_done + ": " + why);
    begin_next();
}

void PictureSaver::begin_next() {
    if (runner_.running() || waiting_.empty()) return;
    now_ = std::move(waiting_.front());
    waiting_.pop_front();
    runner_.start(std::exchange(now_.job, {}), now_.device);
}

void PictureSaver::follow(AppState& state) {
    runner_.follow(state);
    begin_next();
}

BackgroundJob export_job(const Scene& scene, const ExportUi& exporting, const std::string& path) {
    const auto image = image_of(scene, scene.active);
    if (!image) throw Error("there is no picture to export: open an image first");
    const WholePicture picture = exported_picture(scene, exporting);
    const RenderRequest request = request_for(picture, shape_of(*image));
    const Light light = exporting.linear ? Light::linear : Light::stored;
    check_output(path);
    const WriteOptions options = options_for(path, image->type(), exporting.depth);
    const WrittenDepth depth = written_depth(path, image->type(), exporting.depth);
    const std::string size = fmt::format("{}×{} pixels", request.width, request.height);
    const auto lost = std::make_shared<std::string>();  // words on lost colours and samples
    BackgroundJob job{.name = "export", .title = "Export", .dialog = {}, .work = {}, .keep = {}};
    job.reports_its_end = true;
    job.work = [=](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        progress.step(0, 100, "preparing " + size);
        const auto computing = [&](int row, int rows) {
            progress.step(int(50.0 * row / rows), 100, "computing " + size);
        };
        computing(0, request.height);
        const auto render = [&](const std::shared_ptr<const Image>& samples, const RenderRequest& of_samples) {
            SourceImage source = samples == image ? source_on(backend, image, light) : SourceImage(backend, samples);
            // Least squares read all rows of the image at once.
            return picture.least_squares ? rendered(source, picture, of_samples)
                                         : render_in_bands(source, of_samples, computing);
        };
        Image result = moved_numbers(image, request, light, depth.type, render);
        WriteOptions checked = options;
        checked.progress = [&](double part) { progress.step(50 + int(50 * part), 100, "writing " + size); };
        checked.last_check = [&] { progress.step(100, 100, "written"); };
        keep_hidden_colours(result, *image, request);
        *lost = pass_profile(*image, result, path);
        result.set_dimensions(image->dimensions());
        const std::string samples = words_of(write_image(result, path, checked));
        if (!samples.empty()) *lost += (lost->empty() ? "" : "; ") + samples;
    };
    const std::string saved = fmt::format("{}, {}", size, depth.words);
    job.keep = [=](AppState& now) {
        post_saved(now.messages, path, lost->empty() ? saved : fmt::format("{}; {}", saved, *lost));
    };
    job.explain = [](AppState& now, Message::Level level, const std::string& why) {
        if (level == Message::Level::info) post(now.messages, level, "Export: cancelled");
        else reopen_saving(now.ui, Dialog::exporting, why);  // which says it
    };
    return job;
}

}  // namespace texelscope
