// Tasks that wait for a picture, and how what is asked for next overtakes them.

#include <algorithm>
#include <utility>
#include <variant>

#include "app/files/desktop/folder_listing.h"
#include "app/state/pane_images.h"
#include "app/state/session/session.h"
#include "app/viewer/loop/interface_texture.h"
#include "app/viewer/loop/picture_to_come.h"
#include "app/viewer/loop/task_runner.h"

namespace texelscope {
namespace {

constexpr double longest_wait = 0.1;  // s: for an early picture

template <class... Which> bool is_one_of(const Task& task) { return (std::holds_alternative<Which>(task) || ...); }

// Whether it asks for another picture in the window. The newest such request wins.
bool shows_picture(const Task& task) {
    if (const auto* reload = std::get_if<task::Reload>(&task)) return reload->source.empty();
    return is_one_of<task::Open, task::ShowDocument, task::ShowFirst, task::Walk, task::WalkTo, task::ChoosePicture,
                     task::SetUpright, task::Trash, task::LeaveTrashed, task::Untrash, task::Close, task::OpenSession,
                     task::OpenLesson, task::ShowStep, task::LeaveLesson, task::ShowBest>(task);
}

// Panes ask in every frame for what they need.
bool is_the_same_load(const Task& a, const Task& b) {
    const auto *first = std::get_if<task::LoadDocument>(&a), *second = std::get_if<task::LoadDocument>(&b);
    return first && second && first->source == second->source;
}

// When the sign over the picture appears: seconds.
double sign_due(const Loading& loading) {
    const bool nearly_there = !loading.size.empty() && 2 * loading.rows > loading.size.height;
    return loading.since + (nearly_there ? 2 : 1) * loading_shown_after;
}

// The source of the document that shows the image, or will.
std::string source_of(const AppState& state, const std::shared_ptr<const Image>& image) {
    for (const auto& [source, read] : state.read.there)
        if (read.image == image) return source;
    for (const Document& document : state.scene.documents)
        if (document.image == image) return document.source;
    return {};
}

}  // namespace

AcceptImage TaskRunner::accept_for(const AppState& state) {
    return [this, &state](const std::shared_ptr<const Image>& image) {
        const Light light = state.scene.light;
        if (state.read.awaited && preparer_.is_worth_it(renderer_.sources(), image, light))
            throw PictureWanted{{}, image, light};
        renderer_.sources().at(image, light);
    };
}

void TaskRunner::want(AppState& state, const PictureWanted& wanted) {
    if (!wanted.image) {
        preparer_.drop();
        reader_.read_next(state, wanted.source, renderer_.sources());
        return;
    }
    if (preparer_.prepares(wanted.image, wanted.light)) return;
    reader_.drop_next();
    const Extent size{wanted.image->width(), wanted.image->height()};
    if (const std::string source = source_of(state, wanted.image); !state.loading || state.loading->source != source)
        state.loading = Loading{.source = source, .since = state.now};
    state.loading->size = size;
    state.loading->rows = size.height;
    preparer_.prepare({wanted.image, wanted.light, {}}, renderer_.sources());
}

// Files whose opening is overtaken stay in the list of open ones, and are read when they are shown.
void TaskRunner::overtake(AppState& state, const Task& task) {
    if (std::holds_alternative<task::ShowFirst>(task)) return;  // what is read already is its own
    const bool walks = std::holds_alternative<task::Walk>(task);
    const bool leaves = !waiting_.empty() && std::holds_alternative<task::LeaveTrashed>(waiting_.front());
    if (walks && (waiting_.empty() || leaves)) return;  // steps add up, and go on from the picture after a deleted one
    if (!walks) walker_.give_up();
    for (const Task& each : std::exchange(waiting_, {})) {
        if (const auto* trashed = std::get_if<task::LeaveTrashed>(&each)) left_.push_back(trashed->path);
        const auto* open = std::get_if<task::Open>(&each);
        if (!open || is_session_name(open->source) || open->replace) continue;
        const std::string source = as_preferred(state, absolute_source(open->source));
        if (is_folder(source) || document_named(state, source)) continue;
        state.scene.documents.emplace_back().source = source;
    }
    reader_.drop_next();
    preparer_.drop();
    end_pictures(state);
}

// Nothing that is to be shown is under way any more.
void TaskRunner::end_pictures(AppState& state) {
    state.loading.reset();
    if (waiting_beside_.empty()) std::erase_if(state.read.there, [](const auto& each) { return !each.second.ahead; });
}

void TaskRunner::cancel_pictures(AppState& state) {
    post(state, Message::Level::info, state.loading->source + ": reading it was cancelled");
    waiting_.clear();
    walker_.give_up();
    reader_.drop_next();
    preparer_.drop();
    end_pictures(state);
    leave_empty(state);
}

// A document that cannot be shown at the start gives way to the default picture.
void TaskRunner::leave_empty(AppState& state) {
    const int empty = state.scene.current;
    if (empty >= 0 && state.scene.document()->image) return;
    const ReadAtOnce at_once(state.read);
    open_document(state, default_source, accept_for(state));
    if (empty >= 0) drop_document(state, empty);
}

void TaskRunner::run_all(AppState& state, std::vector<Task> tasks) {
    for (size_t i = 0; i < tasks.size(); ++i) {
        Task task = std::move(tasks[i]);
        if (!waiting_.empty() && shows_picture(task)) {
            waiting_.push_back(std::move(task));
            continue;
        }
        try {
            carry_out(state, task);
            const std::vector<Task> next = std::exchange(next_, {});
            tasks.insert(tasks.begin() + std::ptrdiff_t(i) + 1, next.begin(), next.end());
        } catch (const PictureWanted& wanted) {
            if (shows_picture(task)) {
                want(state, wanted);
                waiting_.push_back(std::move(task));
                continue;
            }
            if (!wanted.image) reader_.read_needed(state, wanted.source);
            else if (!preparer_.works()) preparer_.prepare({wanted.image, wanted.light, {}}, renderer_.sources());
            const bool known = std::any_of(waiting_beside_.begin(), waiting_beside_.end(),
                                           [&](const Task& each) { return is_the_same_load(each, task); });
            if (!known) waiting_beside_.push_back(std::move(task));
        }
    }
    if (waiting_.empty() && !walker_.walks()) end_pictures(state);
}

// What is asked for in one frame follows each other; what is asked for in a later one overtakes it.
bool TaskRunner::run(AppState& state) {
    const bool pushed = take_pushed(state);
    const bool cancelled = state.loading && state.loading->cancelled, came = std::exchange(pictures_came_, false);
    if (cancelled) cancel_pictures(state);
    std::vector<Task> tasks = std::exchange(state.tasks, {});
    const bool any = pushed || cancelled || came || !tasks.empty();
    if (came) {
        run_all(state, std::exchange(waiting_, {}));
        run_all(state, std::exchange(waiting_beside_, {}));
    }
    const auto newest = std::find_if(tasks.begin(), tasks.end(), shows_picture);
    if (newest != tasks.end()) overtake(state, *newest);
    run_all(state, std::move(tasks));
    close_left(state);
    return follow_contrast(state) || any;
}

// What the window will show of a picture whose rows arrive is rendered meanwhile. It is there moments after the last one:
// then the picture waits for it.
bool TaskRunner::waits_for_early_picture(const AppState& state) {
    SlowPictures* const slow = renderer_.prepared().slow_pictures();
    if (!slow) return false;
    if (!reader_.reads_next()) slow->take_early(nullptr);
    if (state.loading)
        if (auto rows = reader_.arriving())
            if (const auto picture = picture_to_come(state, state.loading->source, rows->image))
                slow->render_early(*picture, rows->sources);
    if (!reader_.has_next() || !slow->renders_early()) {
        came_at_.reset();
        return false;
    }
    if (!came_at_) came_at_ = state.now;
    return state.now < *came_at_ + longest_wait;
}

bool TaskRunner::follow_pictures(AppState& state) {
    if (waits_for_early_picture(state)) return false;
    const bool read = reader_.follow(state, renderer_.sources(), renderer_.prepared().slow_pictures()),
               prepared = preparer_.follow(renderer_.sources());
    pictures_came_ = pictures_came_ || read || prepared;
    return show_sign(state) || read || prepared || saver_.has_news();
}

// Not for a small file, nor for one that will be there at once: drawing takes the decoder's time on a CPU, and a sign that
// goes again cannot be read. True if it is shown from now on.
bool TaskRunner::show_sign(AppState& state) {
    if (!state.loading || state.loading->shown || state.now < sign_due(*state.loading)) return false;
    return state.loading->shown = true;
}

void TaskRunner::show_preview(AppState& state) {
    if (!state.loading || !state.loading->shown) return;
    if (const auto preview = reader_.new_preview()) state.loading->preview = upload(preview_, *preview);
}

void TaskRunner::begin_with(AppState& state, const std::string& folder) {
    begins_ = !folder.empty();
    if (begins_) walker_.ask_for_folder(state, folder);
    else state.tasks.push_back(task::ShowFirst{});
}

void TaskRunner::wake(const AppState& state, WakeUp& wake_up) const {
    background_.wake(state, wake_up);
    saver_.wake(state, wake_up);
    walker_.wake(wake_up);
    if (!state.loading) return;
    if (came_at_) wake_up.look_in(std::max(*came_at_ + longest_wait - state.now, 0.0));
    if (state.loading->shown) wake_up.draw_in(loading_sign_every);
    else wake_up.look_in(std::max(sign_due(*state.loading) - state.now, 0.0));
}

}  // namespace texelscope
