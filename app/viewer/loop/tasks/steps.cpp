#include "app/viewer/loop/tasks/steps.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/picture/first_look.h"
#include "app/picture/inspect/statistics.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/settings.h"

namespace texelscope {
namespace {

// "FILE:LINE: " of the step, for its errors; empty in a built-in lesson.
std::string place_of_step(const LessonState& lesson) {
    const std::string path = lesson.lesson->path.string();
    return path.empty() ? path : fmt::format("{}:{}: ", path, current_step(lesson)->line);
}

}  // namespace

std::string LessonTasks::about(const AppState& state, const task::ShowStep&) {
    return state.lesson.lesson ? state.lesson.lesson->path.string() : "";
}

StillWanted LessonTasks::run(AppState& state, const task::OpenLesson& request) {
    const FileStamp stamp = stamp_of(request.name);  // before reading, so that a change meanwhile is noticed
    const auto show = [&] {
        begin_lesson(state, find_lesson(request.name));
        return run(state, task::ShowStep{request.step});
    };
    if (StillWanted wanted = all_or_nothing(state, show)) return wanted;
    loaded_ = seen_ = state.lesson.lesson->path.empty() ? FileStamp{} : stamp;
    return {};
}

StillWanted LessonTasks::run(AppState& state, const task::ShowStep& request) {
    const ViewBefore before = view_before(state);
    return all_or_nothing(state, [&]() -> StillWanted {
        try {
            if (!enter_step(state, request.step, request.again)) return {};
            if (StillWanted wanted = show_session(state, accept_)) return wanted;
        } catch (const Error& error) {
            throw Error(place_of_step(state.lesson) + error.what());
        }
        note_shown(state, before);
        return {};
    });
}

// The lesson is closed even if an image that was shown before it no longer exists.
StillWanted LessonTasks::run(AppState& state, const task::LeaveLesson&) {
    if (!leave_lesson(state)) return {};
    StillWanted wanted;
    if (!attempt(renderer_, state.messages, "", [&] { wanted = show_session(state, accept_); }))
        return open_document(state, default_source, accept_);
    return wanted;
}

void LessonTasks::read_again(AppState& state) {
    const std::string path = state.lesson.lesson->path.string();
    auto lesson = std::make_shared<const Lesson>(read_lesson(path));
    all_or_nothing(state, [&] {
        state.lesson.lesson = std::move(lesson);
        return run(state, task::ShowStep{std::exchange(state.lesson.step, -1)});
    });
    forget_errors_about(state.messages, path);
}

// As in change_has_settled for an image: a change counts once it has settled.
bool LessonTasks::look(AppState& state) {
    if (!state.lesson.lesson || state.lesson.lesson->path.empty()) return false;
    const FileStamp stamp = stamp_of(state.lesson.lesson->path.string());
    const bool settled = stamp == std::exchange(seen_, stamp);
    if (stamp == loaded_ || !settled || stamp == FileStamp{}) return false;
    loaded_ = stamp;  // even if reading fails
    const ReadAtOnce at_once(state.read);
    attempt(renderer_, state.messages, state.lesson.lesson->path.string(), [&] { read_again(state); });
    return true;
}

void LessonTasks::follow_list(AppState& state) {
    const bool before = std::exchange(listed_, state.lesson.list);
    if (state.lesson.list && !before) state.own_lessons = read_own_lessons(lessons_folder());
}

namespace {

// Stores the levels that were found in the data of all documents with this image.
void note_levels(Scene& scene, const Image* image, const std::optional<Levels>& levels) {
    for (Document& document : scene.documents)
        if (document.image.get() == image) document.look.levels = levels;
}

}  // namespace

void ContrastTasks::run(AppState& state, const task::AutoContrast& wanted) {
    const int pane = state.scene.active;
    if (!image_of(state.scene, pane) || output_extent(state, pane).empty()) return;
    const auto selection = wanted.first ? std::nullopt : measured_selection(state, pane);
    search_ = {pane_rendition(state, pane), selection, wanted};
}

bool ContrastTasks::follow(AppState& state) {
    if (!search_) return false;
    const int pane = state.scene.active;
    const auto image = image_of(state.scene, pane);
    const bool visible = image == search_->of.image && !output_extent(state, pane).empty(),
               first = search_->wanted.first;
    const bool same = visible && search_->of == pane_rendition(state, pane) &&
                      (first || search_->selection == measured_selection(state, pane));
    if (visible && !same && first) run(state, search_->wanted);
    else if (!same) search_.reset();
    if (!search_) return false;
    bool found = true;
    attempt(renderer_, state.messages, "", [&] {
        const Rendition& shown = search_->of;
        SourceImage& source = renderer_.sources().at(shown.image, shown.light);
        const auto values = values_in_view(source, shown.request, search_->selection);
        found = values.has_value();  // if not, samples have to come, which causes another frame
        if (!found) return;
        if (first) note_levels(state.scene, image.get(), look_at_values(*values, *image).levels);
        else
            set_levels(state.scene, state.messages,
                       auto_levels(*values, {}, state.scene.display.channel, search_->wanted.share));
    });
    if (!found) return false;
    search_.reset();
    return true;
}

}  // namespace texelscope
