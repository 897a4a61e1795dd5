#include "app/viewer/loop/folder_walker.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "app/state/scene.h"
#include "app/viewer/loop/documents.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

// File systems note times by a coarse clock: what changes within its step after a look has the time of before.
constexpr int64_t clock_step = 100'000'000;  // nanoseconds, generously

std::string shown_file(const Scene& scene) {
    const Document* document = scene.document();
    const std::string source = document ? original_source(document->source) : "@";
    return source.starts_with('@') ? "" : file_of(source);
}

std::string path_of(const FolderView& view, int index) {
    return (fs::path(view.folder) / (*view.files)[size_t(index)].name).string();
}

}  // namespace

void FolderWalker::ask(const task::Walk& walk) {
    using To = task::Walk::To;
    if (walk.to != To::neighbour) request_ = Request{std::nullopt, walk.to == To::last};
    else if (request_ && request_->steps) *request_->steps += walk.steps;
    else if (!request_) request_ = Request{walk.steps};
    request_waits_ = false;
}

void FolderWalker::start_from(const std::string& source) {
    const std::string file = file_of(source);
    std::error_code none;
    if (!fs::exists(file, none)) return;
    unreadable_ = file;
    unread_[file] = stamp_of(file);
}

void FolderWalker::ask_for_folder(AppState& state, const std::string& folder) {
    request_ = Request{std::nullopt, false, folder};
    request_waits_ = false;
    state.folder = {};
}

// Asks for the folder that is needed, if the state has another one. True if it came.
bool FolderWalker::read_folder(AppState& state) {
    FolderView& view = state.folder;
    const std::string shown = shown_file(state.scene), &file = shown.empty() ? unreadable_ : shown;
    const bool named = request_ && !request_->folder.empty();
    const std::string folder = named ? request_->folder : file.empty() ? "" : fs::path(file).parent_path().string();
    if (folder.empty()) {
        reader_.drop();
        const bool changed = !view.folder.empty();
        view = {};
        return changed;
    }
    if (view.folder != folder) {
        view = {};
        view.folder = folder;
        listed_ = {};
        stamp_ = stamp_of(folder);
    }
    bool came = false;
    if (auto result = reader_.take(); result && result->question.folder == folder) {
        FolderListing listing = result->answer.value_or(FolderListing{});
        if (result->problem) listing.problem = folder + ": " + result->why();
        // Other files of a busy folder are not worth a frame.
        came = !view.files || view.problem != listing.problem ||
               !std::ranges::equal(*view.files, listing.entries, {}, &FolderEntry::name, &FolderEntry::name);
        view = {folder, std::make_shared<const std::vector<FolderEntry>>(std::move(listing.entries)), -1,
                std::move(listing.problem)};
        listed_ = std::move(result->question);
        const FileStamp now = {int64_t(fs::file_time_type::clock::now().time_since_epoch().count()), 0};
        just_changed_ = std::abs(now.modified - listed_.stamp.modified) < clock_step;
        placed_.clear();
    }
    const FolderRequest wanted{folder, state.ui.folder_order, state.ui.folder_descending, stamp_};
    if (wanted != listed_ && !(reader_.question() && *reader_.question() == wanted))
        reader_.ask(wanted, [](const FolderRequest& asked, const std::stop_token& stop) {
            return list_pictures(asked.folder, asked.order, asked.descending, stop);
        });
    return came;
}

void FolderWalker::look(const AppState& state) {
    if (std::exchange(just_changed_, false)) listed_.stamp = {};
    if (!state.folder.folder.empty()) stamp_ = stamp_of(state.folder.folder);
}

void FolderWalker::place(AppState& state) {
    FolderView& view = state.folder;
    const std::string shown = shown_file(state.scene), &file = shown.empty() ? unreadable_ : shown;
    if (!view.files || placed_ == file) return;
    const std::string name = fs::path(file).filename().string();
    const auto at = std::find_if(view.files->begin(), view.files->end(),
                                 [&](const FolderEntry& entry) { return entry.name == name; });
    const bool inside = !shown.empty() && fs::path(file).parent_path() == fs::path(view.folder);
    view.position = inside && at != view.files->end() ? int(at - view.files->begin()) : -1;
    if (view.is_placed()) last_placed_ = *at;
    else if (last_placed_.name != name) last_placed_ = entry_at(file);
    placed_ = file;
}

int FolderWalker::first_after(const FolderView& view) const {
    const auto at = std::lower_bound(view.files->begin(), view.files->end(), last_placed_,
                                     [&](const FolderEntry& a, const FolderEntry& b) {
                                         return comes_before(a, b, listed_.order, listed_.descending);
                                     });
    return int(at - view.files->begin());
}

FolderWalker::Turn FolderWalker::try_to_show(AppState& state, const std::string& path, const Show& show) {
    const FileStamp stamp = stamp_of(path);
    if (const auto at = unread_.find(path); at != unread_.end() && at->second == stamp) return {};
    const auto skip = [&](const char* why) {
        unread_[path] = stamp;
        post_one_of(state.messages, Message::Level::error, "skipped", fmt::format("{}; skipped", why), path);
        return Turn{};
    };
    try {
        if (StillWanted wanted = show(state, path)) return {false, std::move(wanted)};
    } catch (const DeviceLost&) {
        throw;
    } catch (const Error& error) {
        return skip(error.what());
    } catch (const std::bad_alloc&) {
        return skip(fmt::format("{}: not enough memory", path).c_str());
    }
    unread_.erase(path);
    forget_errors_about(state.messages, path);
    return {true};
}

FolderWalker::Turn FolderWalker::show_from(AppState& state, int from, int direction, const Show& show) {
    const FolderView view = state.folder;
    const bool shown = state.scene.document() && state.scene.document()->image;  // not yet, at the start
    for (int at = from; at >= 0 && at < view.count(); at += direction) {
        if (shown && at == view.position) return {true};
        if (Turn turn = try_to_show(state, path_of(view, at), show); turn.changed || turn.wanted) return turn;
    }
    return {};
}

void FolderWalker::tell(AppState& state, std::string text) {
    told_ = text;
    told_of_ = shown_file(state.scene);
    post(state.messages, Message::Level::info, std::move(text));
}

// The sentence was about the picture that was shown then.
bool FolderWalker::forget_told(AppState& state) {
    if (told_.empty() || told_of_ == shown_file(state.scene)) return false;
    withdraw(state.messages, std::exchange(told_, {}));
    return true;
}

// Pictures that cannot be read are passed over, in the same direction.
StillWanted FolderWalker::carry_out(AppState& state, const Show& show) {
    const Request request = *request_;
    const FolderView view = state.folder;
    if (!view.problem.empty()) {
        post(state.messages, Message::Level::error, view.problem, view.folder);
        return {};
    }
    if (!request.steps) {
        const int end = request.from_last ? view.count() - 1 : 0;
        Turn turn = show_from(state, end, request.from_last ? -1 : 1, show);
        if (!turn.changed && !turn.wanted) tell(state, view.folder + ": has no picture that can be read");
        return turn.wanted;
    }
    const int steps = *request.steps, direction = steps < 0 ? -1 : 1;
    if (steps == 0) return {};
    const int after = view.is_placed() ? view.position + 1 : first_after(view);
    const int before = view.is_placed() ? view.position - 1 : after - 1;
    int from = steps > 0 ? after + steps - 1 : before + steps + 1;
    const bool at_end = steps > 0 ? after >= view.count() : before < 0;
    if (!at_end) {
        from = std::clamp(from, 0, view.count() - 1);
        if (Turn turn = show_from(state, from, direction, show); turn.changed || turn.wanted) return turn.wanted;
    }
    const char* which = direction > 0 ? "last" : "first";
    const char* key = direction > 0 ? "Home shows the first" : "End shows the last";
    tell(state, at_end ? fmt::format("this is the {} picture; {}", which, key)
                       : fmt::format("no picture {} this one can be read", direction > 0 ? "after" : "before"));
    return {};
}

FolderWalker::Turn FolderWalker::leave_shown(AppState& state, const Show& show) {
    read_folder(state);
    place(state);
    const FolderView view = state.folder;
    if (!view.files) return {};
    const int after = view.is_placed() ? view.position + 1 : first_after(view);
    const int before = view.is_placed() ? view.position - 1 : after - 1;
    Turn turn = show_from(state, after, 1, show);
    return turn.changed || turn.wanted ? turn : show_from(state, before, -1, show);
}

FolderWalker::Turn FolderWalker::follow(AppState& state, const Show& show) {
    bool changed = read_folder(state);
    place(state);
    changed = forget_told(state) || changed;
    if (!request_) return {changed};
    const bool named = !request_->folder.empty();
    if (state.folder.folder.empty() && !named) {  // what is shown has no folder
        request_.reset();
        return {changed};
    }
    request_waits_ = !state.folder.files;
    if (request_waits_) return {changed};
    if (StillWanted wanted = carry_out(state, show))
        return {false, std::move(wanted)};  // if the device is lost, it is asked for again
    request_.reset();
    read_folder(state);
    place(state);
    forget_told(state);
    return {true};
}

}  // namespace texelscope
