#include "app/viewer/loop/task_queue.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/files/desktop/desktop.h"
#include "app/files/desktop/folders.h"
#include "app/state/panes.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/viewer/loop/thumbnails.h"
#include "app/viewer/pushing/pushing.h"

namespace texelscope {
namespace {

constexpr double longest_wait = 0.1;  // s: for an early picture

template <class Topic, class T>
concept CarriesOut = requires(Topic topic, AppState& state, const T& task) {
    topic.run(state, task);
};
template <class Topic, class T>
concept KnowsSource = requires(Topic topic, const AppState& state, const T& task) {
    topic.about(state, task);
};
template <class T>
concept Reopens = requires {
    T::reopens;
};

// Whether it asks for another picture in the window. The newest such request wins.
template <class T> bool asks_for_picture(const T& each) {
    if constexpr (requires { each.replaces_picture(); }) return each.replaces_picture();
    constexpr bool says_so = requires { T::replaces_picture; };
    return says_so;
}
bool replaces_picture(const Task& task) {
    return std::visit([](const auto& each) { return asks_for_picture(each); }, task);
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

TaskQueue::TaskQueue(const AppState& state, Window& window, FrameRenderer& renderer, Recording& recording,
                     PictureReader reader)
    : window_(window),
      renderer_(renderer),
      recording_(recording),
      accept_([this, &state](const std::shared_ptr<const Image>& image) { return accept(state, image); }),
      reader_(std::move(reader)) {
    reader_.go_to(renderer.backend().info());
}

// The topic that carries out such tasks: one of these, or else the queue itself.
template <class T> auto& TaskQueue::topic_of() {
    if constexpr (CarriesOut<OpeningTasks, T>) return opening_;
    else if constexpr (CarriesOut<SavingTasks, T>) return saving_;
    else if constexpr (CarriesOut<LessonTasks, T>) return lessons_;
    else if constexpr (CarriesOut<ExperimentRunner, T>) return experiments_;
    else if constexpr (CarriesOut<RestoringRunner, T>) return restoring_;
    else if constexpr (CarriesOut<RecipeRunner, T>) return recipes_;
    else if constexpr (CarriesOut<ContrastTasks, T>) return contrast_;
    else return *this;
}

// A task that failed because the device was lost is repeated once there is another device.
template <class T> StillWanted TaskQueue::carry_out(AppState& state, const T& task) {
    auto& topic = topic_of<T>();
    std::string source;  // that its errors are about
    if constexpr (KnowsSource<decltype(topic), T>) source = topic.about(state, task);
    StillWanted wanted;
    std::string why;
    const bool done = attempt(renderer_, state.messages, source, [&] {
        try {
            if constexpr (std::is_void_v<decltype(topic.run(state, task))>) topic.run(state, task);
            else wanted = topic.run(state, task);
        } catch (const DeviceLost& error) {
            renderer_.lose(error);
            state.tasks.push_back(task);
        } catch (const std::exception& error) {
            why = error.what();
            throw;
        }
    });
    if constexpr (Reopens<T>)
        if (!done) {
            reopen_saving(state.ui, T::reopens, why);
            withdraw(state.messages, why);  // the dialog says it
        }
    return wanted;
}

void TaskQueue::run(AppState& /*state*/, const task::OpenOutside& file) { open_outside(file.path); }

void TaskQueue::run(AppState& state, const task::CopyText& text) {
    window_.set_clipboard(text.text);
    post_about(state, Message::Level::info, "copied", "copied: " + (text.what.empty() ? text.text : text.what));
}

void TaskQueue::run(AppState& state, const task::LeaveFullscreen&) {
    if (window_.fullscreen()) window_.toggle_fullscreen();
    else dismiss_newest(state);
}

void TaskQueue::run(AppState& /*state*/, const task::BreakDevice&) {
    renderer_.lose_after({0});
    renderer_.forget();
}

bool TaskQueue::poll(AppState& state) {
    const bool looked = looks_.due(state.now) && look_at_file(state);
    const bool pictures = follow_pictures(state), folder = follow_folder(state);
    return looked || pictures || folder || (pushes_ && pushes_->has_news()) || paster_.has_news();
}

// True if it was reloaded, or could not be.
bool TaskQueue::look_at_file(AppState& state) {
    opening_.look_at_folder(state);
    bool changed = false;
    const size_t said = state.messages.size();
    const std::string source = state.scene.document() ? state.scene.document()->source : "";
    attempt(renderer_, state.messages, source, [&] { changed = change_has_settled(state); });
    if (changed) state.tasks.push_back(task::Reload{source});
    return lessons_.look(state) || changed || state.messages.size() != said;
}

void TaskQueue::listen() {
    const PushPlace place = push_place();
    if (place.folder.empty()) return;
    try {
        pushes_ = std::make_unique<PushServer>(place.folder, Window::wake);
    } catch (const Error&) {  // a window without it is of use all the same
    }
}

// Later if what is shown in its place is still to be read, unless it comes again at once.
void TaskQueue::close_pushed(AppState& state, const std::string& name, const std::vector<PushedFrame>& coming) {
    const std::string source = pushed_source(name);
    StillWanted wanted;
    attempt(renderer_, state.messages, "", [&] { wanted = close_document(state, accept_, source); });
    if (wanted && std::ranges::find(coming, name, &PushedFrame::name) == coming.end())
        state.tasks.push_back(task::Close{source});
}

bool TaskQueue::take_pushed(AppState& state) {
    if (!pushes_) return false;
    const bool news = pushes_->has_news();
    const Pushed pushed = news ? pushes_->take() : Pushed{};
    const ReadAtOnce at_once(state.read);  // their samples are here
    for (const std::string& name : pushed.closed) close_pushed(state, name, pushed.frames);
    for (const PushedFrame& frame : pushed.frames)
        attempt(renderer_, state.messages, "", [&] { show_pushed(state, frame.name, frame.image, accept_); });
    for (const PushedFiles& files : pushed.files) {
        for (const std::string& file : files.files) state.tasks.push_back(task::Open{file});
        window_.ask_for_attention();
    }
    if (!pushed.problem.empty())
        post(state.messages, Message::Level::warning, "what another program pushed was not taken: " + pushed.problem);
    pushes_->set_open(pushed_names(state.scene));
    return news;
}

bool TaskQueue::take_pasted(AppState& state) {
    if (!paster_.has_news()) return false;
    try {
        const Paster::Pasted pasted = paster_.take();
        for (const std::string& file : pasted.files) state.tasks.push_back(task::Open{file});
        const ReadAtOnce at_once(state.read);  // the samples are here
        if (pasted.image)
            attempt(renderer_, state.messages, "",
                    [&] { show_pushed(state, name_for_pasted(state), pasted.image, accept_); });
    } catch (const std::exception& error) {
        post(state.messages, Message::Level::warning, fmt::format("nothing was pasted: {}", error.what()));
    }
    return true;
}

bool TaskQueue::follow_folder(AppState& state) {
    try {
        const FolderWalker::Turn turn = opening_.follow_folder(state, [&] { end_pictures(state); });
        if (turn.wanted) want(state, *turn.wanted);
        return turn.changed;
    } catch (const DeviceLost& error) {
        renderer_.lose(error);
        return true;
    }
}

void TaskQueue::follow_background(AppState& state) {
    background_.follow(state);
    saving_.follow(state);
    experiments_.show_pictures(state);
    restoring_.follow(state);
    lessons_.follow_list(state);
    show_preview(state);
}

void TaskQueue::give_up_device(AppState& state, const std::string& why) {
    background_.give_up(state, why);
    saving_.give_up_device(state, why);
}

// Into the backend's memory, in the light that the scene has then. Wanted while that is better done beside the window.
StillWanted TaskQueue::accept(const AppState& state, const std::shared_ptr<const Image>& image) {
    const Light light = state.scene.light;
    if (state.read.awaited && preparer_.is_worth_it(renderer_.sources(), image, light))
        return WantedPicture{{}, image, light};
    renderer_.sources().at(image, light);
    return {};
}

void TaskQueue::want(AppState& state, const WantedPicture& wanted) {
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
void TaskQueue::overtake(AppState& state, const Task& task) {
    if (std::holds_alternative<task::ShowFirst>(task)) return;  // what is read already is its own
    const bool walks = std::holds_alternative<task::Walk>(task);
    const bool leaves = !waiting_.empty() && std::holds_alternative<task::LeaveTrashed>(waiting_.front());
    if (walks && (waiting_.empty() || leaves)) return;  // steps add up, and go on from the picture after a deleted one
    if (!walks) opening_.give_up_walk();
    for (const Task& each : std::exchange(waiting_, {})) {
        if (const auto* trashed = std::get_if<task::LeaveTrashed>(&each)) opening_.leave_later(trashed->path);
        const auto* open = std::get_if<task::Open>(&each);
        if (!open || kind_of_file(open->source) != FileKind::picture || open->replace) continue;
        const std::string source = as_preferred(state.ui, absolute_source(open->source));
        if (is_folder(source) || document_named(state.scene, source)) continue;
        state.scene.documents.emplace_back().source = source;
    }
    reader_.drop_next();
    preparer_.drop();
    end_pictures(state);
}

// Nothing that is to be shown is under way any more.
void TaskQueue::end_pictures(AppState& state) {
    state.loading.reset();
    if (waiting_beside_.empty()) std::erase_if(state.read.there, [](const auto& each) { return !each.second.ahead; });
}

void TaskQueue::cancel_pictures(AppState& state) {
    post(state.messages, Message::Level::info, state.loading->source + ": reading it was cancelled");
    waiting_.clear();
    opening_.give_up_walk();
    reader_.drop_next();
    preparer_.drop();
    end_pictures(state);
    opening_.leave_empty(state);
}

void TaskQueue::run_all(AppState& state, std::vector<Task> tasks) {
    for (size_t i = 0; i < tasks.size(); ++i) {
        Task task = std::move(tasks[i]);
        if (!waiting_.empty() && replaces_picture(task)) {
            waiting_.push_back(std::move(task));
            continue;
        }
        const StillWanted wanted = std::visit([&](const auto& each) { return carry_out(state, each); }, task);
        if (!wanted) {
            const std::vector<Task> next = opening_.take_next();
            tasks.insert(tasks.begin() + std::ptrdiff_t(i) + 1, next.begin(), next.end());
            continue;
        }
        if (replaces_picture(task)) {
            want(state, *wanted);
            waiting_.push_back(std::move(task));
            continue;
        }
        if (!wanted->image) reader_.read_needed(state, wanted->source);
        else if (!preparer_.works()) preparer_.prepare({wanted->image, wanted->light, {}}, renderer_.sources());
        const bool known = std::any_of(waiting_beside_.begin(), waiting_beside_.end(),
                                       [&](const Task& each) { return is_the_same_load(each, task); });
        if (!known) waiting_beside_.push_back(std::move(task));
    }
    if (waiting_.empty() && !opening_.walks()) end_pictures(state);
}

// What is asked for in one frame follows each other; what is asked for in a later one overtakes it.
bool TaskQueue::run(AppState& state) {
    const bool pushed = take_pushed(state), pasted = take_pasted(state);
    const bool cancelled = state.loading && state.loading->cancelled, came = std::exchange(pictures_came_, false);
    if (cancelled) cancel_pictures(state);
    std::vector<Task> tasks = std::exchange(state.tasks, {});
    const bool any = pushed || pasted || cancelled || came || !tasks.empty();
    if (came) {
        run_all(state, std::exchange(waiting_, {}));
        run_all(state, std::exchange(waiting_beside_, {}));
    }
    const auto newest = std::find_if(tasks.begin(), tasks.end(), replaces_picture);
    if (newest != tasks.end()) overtake(state, *newest);
    run_all(state, std::move(tasks));
    opening_.close_left(state);
    return contrast_.follow(state) || any;
}

// What the window will show of a picture whose rows arrive is rendered meanwhile. It is there moments after the last one:
// then the picture waits for it.
bool TaskQueue::waits_for_early_picture(const AppState& state) {
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

bool TaskQueue::follow_pictures(AppState& state) {
    if (waits_for_early_picture(state)) return false;
    const bool read = reader_.follow(state, renderer_.sources(), renderer_.prepared().slow_pictures()),
               prepared = preparer_.follow(renderer_.sources());
    pictures_came_ = pictures_came_ || read || prepared;
    return show_sign(state) || read || prepared || saving_.has_news();
}

// Not for a small file, nor for one that will be there at once: drawing takes the decoder's time on a CPU, and a sign that
// goes again cannot be read. True if it is shown from now on.
bool TaskQueue::show_sign(AppState& state) {
    if (!state.loading || state.loading->shown || state.now < sign_due(*state.loading)) return false;
    return state.loading->shown = true;
}

void TaskQueue::show_preview(AppState& state) {
    if (!state.loading || !state.loading->shown) return;
    if (const auto preview = reader_.new_preview()) state.loading->preview = upload(preview_, *preview);
}

void TaskQueue::begin_with(AppState& state, const std::string& folder) {
    if (folder.empty()) state.tasks.push_back(task::ShowFirst{});
    else opening_.begin_with(state, folder);
}

void TaskQueue::wake(const AppState& state, WakeUp& wake_up) const {
    background_.wake(state, wake_up);
    saving_.wake(state, wake_up);
    opening_.wake(wake_up);
    if (!state.loading) return;
    if (came_at_) wake_up.look_in(std::max(*came_at_ + longest_wait - state.now, 0.0));
    if (state.loading->shown) wake_up.draw_in(loading_sign_every);
    else wake_up.look_in(std::max(sign_due(*state.loading) - state.now, 0.0));
}

}  // namespace texelscope
