// Tasks that save or copy what is shown: views, sheets, profiles. What takes long is made in the background.

#include "app/viewer/loop/tasks/saving.h"

#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/picture/inspect/profile.h"
#include "app/state/derived_sources.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/session/session.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/picture_saver.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/tasks/steps.h"

namespace texelscope {

void SavingTasks::run(AppState& state, const task::SaveView& request) {
    const int pane = state.scene.active;
    if (!image_of(state.scene, pane) || output_extent(state, pane).empty()) return;
    check_output_name(request.path);
    const Extent size = request.size.empty() ? output_extent(state, pane) : request.size;
    saver_.save(saved_view_beside(state, pane, size, renderer_.sources()), request.path);
}

void SavingTasks::run(AppState& state, const task::SaveSheet& request) {
    const std::string& path = request.path;
    check_output_name(path);
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

// Esc while the window waits to be closed: it stays, and what is being saved goes on.
bool SavingTasks::stays(AppState& state) {
    if (!closing_ || !state.work || !std::exchange(state.work->cancelled, false)) return false;
    closing_ = false;
    post(state.messages, Message::Level::info, "the window stays open; what is being saved goes on");
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
    const bool compares = dialog == Dialog::restoring;
    ask(state,
        {.title = "Quit?",
         .text = compares ? "The methods are still being compared; quit?" : "An experiment is still running; quit?",
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

}  // namespace texelscope
