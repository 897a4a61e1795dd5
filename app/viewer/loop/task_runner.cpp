#include "app/viewer/loop/task_runner.h"

#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/desktop/open_outside.h"
#include "app/files/reading/image_files.h"
#include "app/picture/first_look.h"
#include "app/picture/inspect/auto_levels.h"
#include "app/picture/pane_picture.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/lessons/lesson_player.h"
#include "app/viewer/lessons/own_lessons.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/exporter.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/pushing/push_place.h"
#include "gpu/backend/sample_windows.h"

namespace texelscope {
namespace {

template <class... Cases> struct Overloaded : Cases... { using Cases::operator()...; };
template <class... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

// The file that a task reads, which its errors are about; empty: none.
std::string source_of(const Task& task, const AppState& state) {
    if (const auto* open = std::get_if<task::Open>(&task))
        return is_session_name(open->source) ? open->source : absolute_source(open->source);
    if (const auto* show = std::get_if<task::ShowDocument>(&task))
        return size_t(show->index) < state.scene.documents.size() ? state.scene.documents[size_t(show->index)].source
                                                                  : "";
    if (std::holds_alternative<task::ShowStep>(task) && state.lesson.lesson) return state.lesson.lesson->path.string();
    if (const auto* load = std::get_if<task::LoadDocument>(&task)) return load->source;
    if (const auto* session = std::get_if<task::OpenSession>(&task)) return session->path;
    if (const auto* reload = std::get_if<task::Reload>(&task); reload && !reload->source.empty()) return reload->source;
    if (std::holds_alternative<task::Reload>(task) && state.scene.document()) return state.scene.document()->source;
    return {};
}

// Either `step` succeeds, or the scene, what is shown beside it and the lesson stay as they were.
template <class Step> void all_or_nothing(AppState& state, Step step) {
    Scene scene = state.scene;
    Appearance appearance = state.ui;
    LessonState lesson = state.lesson;
    const auto transition = state.transition;
    try {
        step();
    } catch (...) {
        state.scene = std::move(scene);  // needs no memory
        static_cast<Appearance&>(state.ui) = std::move(appearance);
        state.lesson = std::move(lesson);
        state.transition = transition;
        throw;
    }
}

// "FILE:LINE: " of the step, for its errors; empty in a built-in lesson.
std::string place_of_step(const AppState& state) {
    const std::string path = state.lesson.lesson->path.string();
    return path.empty() ? path : fmt::format("{}:{}: ", path, current_step(state)->line);
}

}  // namespace

// Runs it; errors become messages about the source.
bool TaskRunner::attempt(AppState& state, const std::string& source, const std::function<void()>& step) {
    try {
        step();
        return true;
    } catch (const DeviceLost& error) {
        renderer_.lose(error);
        post_error(state, error, source);
    } catch (const Error& error) {
        post_error(state, error, source);
    } catch (const std::bad_alloc&) {
        post(state, Message::Level::error, "not enough memory; the old picture stays", source);
    } catch (const std::exception& error) {
        post_error(state, error, source);
    }
    return false;
}

// What was typed is still in the window that asked for it.
void ask_again(AppState& state, const Task& task) {
    const bool saves = std::holds_alternative<task::SaveView>(task) || std::holds_alternative<task::SaveSheet>(task) ||
                       std::holds_alternative<task::SaveProfile>(task) ||
                       std::holds_alternative<task::SaveSession>(task);
    if (saves) state.ui.dialogs.open(Dialog::save);
    if (std::holds_alternative<task::Export>(task)) state.ui.dialogs.open(Dialog::exporting);
}

// A task that failed because the device was lost is repeated once there is another device.
void TaskRunner::carry_out(AppState& state, const Task& task) {
    const bool done = attempt(state, source_of(task, state), [&] {
        try {
            run(state, task);
        } catch (const DeviceLost& error) {
            renderer_.lose(error);
            state.tasks.push_back(task);
        }
    });
    if (!done) ask_again(state, task);
}

bool TaskRunner::poll(AppState& state) {
    const bool looked = looks_.due(state.now) && look_at_file(state);
    const bool pictures = follow_pictures(state), folder = follow_folder(state);
    return looked || pictures || folder || (pushes_ && pushes_->has_news());
}

// True if it was reloaded, or could not be.
bool TaskRunner::look_at_file(AppState& state) {
    walker_.look(state);
    bool changed = false;
    const size_t said = state.messages.size();
    const std::string source = state.scene.document() ? state.scene.document()->source : "";
    attempt(state, source, [&] { changed = change_has_settled(state); });
    if (changed) state.tasks.push_back(task::Reload{source});
    return look_at_lesson(state) || changed || state.messages.size() != said;
}

void TaskRunner::open(AppState& state, const task::Open& request) {
    if (is_session_name(request.source)) return open_session(state, request.source);
    const std::string source = absolute_source(request.source);
    if (is_folder(source)) return walker_.ask_for_folder(state, source);
    const int before = state.scene.current;
    open_document(state, request.source, accept_for(state));
    if (request.replace && before >= 0 && state.scene.current != before) drop_document(state, before);
    forget_errors_about(state, state.scene.document()->source);
}

void TaskRunner::listen() {
    const PushPlace place = push_place();
    if (place.folder.empty()) return;
    try {
        pushes_ = std::make_unique<PushServer>(place.folder, Window::wake);
    } catch (const Error&) {  // a window without it is of use all the same
    }
}

bool TaskRunner::take_pushed(AppState& state) {
    if (!pushes_) return false;
    const bool news = pushes_->has_news();
    const Pushed pushed = news ? pushes_->take() : Pushed{};
    const ReadAtOnce at_once(state.read);  // their samples are here
    for (const PushedFrame& frame : pushed.frames)
        attempt(state, "", [&] { show_pushed(state, frame.name, frame.image, accept_for(state)); });
    for (const PushedFiles& files : pushed.files) {
        for (const std::string& file : files.files) state.tasks.push_back(task::Open{file});
        window_.ask_for_attention();
    }
    if (!pushed.problem.empty())
        post(state, Message::Level::warning, "what another program pushed was not taken: " + pushed.problem);
    pushes_->set_open(pushed_names(state.scene));
    return news;
}

void TaskRunner::save_session(AppState& state, const std::string& path) {
    write_session(session_of(state), path);
    post_saved(state, path);
    for (const std::string& name : pushed_names(state.scene))
        post(state, Message::Level::info,
             name + " was pushed: the session has its view, not its samples; push it before you open the session");
}

void TaskRunner::open_session(AppState& state, const std::string& path) {
    Session session = read_session(path);
    all_or_nothing(state, [&] {
        restore(state, std::move(session));
        show_session(state, accept_for(state));
    });
    state.history = {};
    forget_errors_about(state, path);
}

void TaskRunner::open_lesson(AppState& state, const task::OpenLesson& request) {
    const FileStamp stamp = stamp_of(request.name);  // before reading, so that a change meanwhile is noticed
    all_or_nothing(state, [&] {
        begin_lesson(state, find_lesson(request.name));
        show_step(state, request.step);
    });
    lesson_loaded_ = lesson_seen_ = state.lesson.lesson->path.empty() ? FileStamp{} : stamp;
}

void TaskRunner::show_step(AppState& state, int step) {
    const ViewBefore before = view_before(state);
    all_or_nothing(state, [&] {
        if (!enter_step(state, step)) return;
        try {
            show_session(state, accept_for(state));
        } catch (const Error& error) {
            throw Error(place_of_step(state) + error.what());
        }
        note_shown(state, before);
    });
}

// The lesson is closed even if an image that was shown before it no longer exists.
void TaskRunner::leave_lesson(AppState& state) {
    if (!texelscope::leave_lesson(state)) return;
    const AcceptImage accept = accept_for(state);
    if (!attempt(state, "", [&] { show_session(state, accept); })) open_document(state, default_source, accept);
}

void TaskRunner::read_lesson_again(AppState& state) {
    const std::string path = state.lesson.lesson->path.string();
    auto lesson = std::make_shared<const Lesson>(read_lesson(path));
    all_or_nothing(state, [&] {
        state.lesson.lesson = std::move(lesson);
        show_step(state, std::exchange(state.lesson.step, -1));
    });
    forget_errors_about(state, path);
}

// As in reload_if_changed for an image: a change counts once it has settled.
bool TaskRunner::look_at_lesson(AppState& state) {
    if (!state.lesson.lesson || state.lesson.lesson->path.empty()) return false;
    const FileStamp stamp = stamp_of(state.lesson.lesson->path.string());
    const bool settled = stamp == std::exchange(lesson_seen_, stamp);
    if (stamp == lesson_loaded_ || !settled || stamp == FileStamp{}) return false;
    lesson_loaded_ = stamp;  // even if reading fails
    const ReadAtOnce at_once(state.read);
    attempt(state, state.lesson.lesson->path.string(), [&] { read_lesson_again(state); });
    return true;
}

void TaskRunner::follow_list(AppState& state) {
    const bool before = std::exchange(listed_, state.lesson.list);
    if (state.lesson.list && !before) state.own_lessons = read_own_lessons(lessons_folder());
}

void TaskRunner::follow_background(AppState& state) {
    background_.follow(state);
    saver_.follow(state);
    if (saver_.take_failure()) closing_ = false;  // the window is still needed, for another name
    experiments_.show_pictures(state);
    restoring_.follow(state, renderer_.backend().info());
    show_progress(state);
    show_preview(state);
}

void TaskRunner::find_contrast(AppState& state, const task::AutoContrast& wanted) {
    const int pane = state.scene.active;
    if (!image_of(state, pane) || output_extent(state, pane).empty()) return;
    const auto selection = wanted.first ? std::nullopt : measured_selection(state, pane);
    contrast_ = {pane_rendition(state, pane), selection, wanted};
}

// Stores the levels that were found in the data of all documents with this image.
void note_levels(Scene& scene, const Image* image, const std::optional<Levels>& levels) {
    for (Document& document : scene.documents)
        if (document.image.get() == image) document.look.levels = levels;
}

// True if the state has changed.
bool TaskRunner::follow_contrast(AppState& state) {
    if (!contrast_) return false;
    const int pane = state.scene.active;
    const auto image = image_of(state, pane);
    const bool visible = image == contrast_->of.image && !output_extent(state, pane).empty(),
               first = contrast_->wanted.first;
    const bool same = visible && contrast_->of == pane_rendition(state, pane) &&
                      (first || contrast_->selection == measured_selection(state, pane));
    if (visible && !same && first) find_contrast(state, contrast_->wanted);
    else if (!same) contrast_.reset();
    if (!contrast_) return false;
    bool found = true;
    attempt(state, "", [&] {
        const Rendition& shown = contrast_->of;
        try {
            SourceImage& source = renderer_.sources().at(shown.image, shown.light);
            const Image values = values_in_view(source, shown.request, contrast_->selection);
            if (first) note_levels(state.scene, image.get(), look_at_values(values, *image).levels);
            else set_levels(state, auto_levels(values, {}, state.scene.display.channel, contrast_->wanted.share));
        } catch (const SamplesToCome&) {
            found = false;  // until they come, which causes another frame
        }
    });
    if (!found) return false;
    contrast_.reset();
    return true;
}

void TaskRunner::run(AppState& state, const Task& task) {
    const AcceptImage accept = accept_for(state);
    std::visit(
        Overloaded{
            [&](const task::Open& r) { open(state, r); },
            [&](const task::ShowDocument& r) { show_document(state, r.index, accept); },
            [&](const task::Walk& r) { walker_.ask(r); },
            [&](const task::ChoosePicture& r) { choose_picture(state, r.choice); },
            [&](const task::SetUpright& r) { set_upright(state, r.upright); },
            [&](const task::WalkTo& r) { walk_to_document(state, r.path, accept); },
            [&](const task::ShowFirst&) { show_first(state, accept); },
            [&](const task::Trash&) { move_to_trash(state); },
            [&](const task::LeaveTrashed& r) { leave_trashed(state, r.path); },
            [&](const task::Untrash& r) { take_from_trash(state, r.original); },
            [&](const task::Reload& r) {
                const Document* shown = state.scene.document();
                const std::string source = r.source.empty() && shown ? shown->source : r.source;
                refresh_document(state, source, accept);
                forget_errors_about(state, source);
            },
            [&](const task::Close&) { close_document(state, accept); },
            [&](const task::LoadDocument& r) { load_document(state, r.source, accept); },
            [&](const task::SaveView& r) { save_view(state, r); },
            [&](const task::SaveSheet& r) { save_sheet(state, r.path); },
            [&](const task::SaveProfile& r) { save_profile(state, r.path); },
            [&](const task::SaveSession& r) { save_session(state, r.path); },
            [&](const task::OpenSession& r) { open_session(state, r.path); },
            [&](const task::RunExperiment&) { experiments_.start(state, renderer_.backend().info()); },
            [&](const task::CancelBackground&) { background_.cancel(); },
            [&](const task::SaveExperiment& r) { experiments_.save(state, r.path); },
            [&](const task::Restore& r) { restoring_.start(state, r, renderer_.backend().info()); },
            [&](const task::SaveRestoring& r) { restoring_.save(state, r.path); },
            [&](const task::ShowBest&) { restoring_.show_best(state); },
            [&](const task::Export& r) { background_.start(export_job(state, r.path), renderer_.backend().info()); },
            [&](const task::OpenOutside& r) { open_outside(r.path); },
            [&](const task::CopyPicture&) { copy_picture(state); },
            [&](const task::AutoContrast& r) { find_contrast(state, r); },
            [&](const task::CopyText& r) {
                window_.set_clipboard(r.text);
                post(state, Message::Level::info, "copied: " + (r.what.empty() ? r.text : r.what));
            },
            [&](const task::OpenLesson& r) { open_lesson(state, r); },
            [&](const task::ShowStep& r) { show_step(state, r.step); },
            [&](const task::LeaveLesson&) { leave_lesson(state); },
            [&](const task::ToggleRecording&) { recording_.toggle(state, window_.framebuffer()); },
            [&](const task::StartRecording& r) { recording_.start(state, r, window_.framebuffer()); },
            [&](const task::ToggleFullscreen&) { window_.toggle_fullscreen(); },
            [&](const task::LeaveFullscreen&) {
                if (window_.fullscreen()) window_.toggle_fullscreen();
                else dismiss_newest(state);
            },
            [&](const task::BreakDevice&) {
                renderer_.lose_after({0});
                renderer_.forget();
            },
            [&](const task::Quit&) { quit_ = true; },
        },
        task);
}

}  // namespace texelscope
