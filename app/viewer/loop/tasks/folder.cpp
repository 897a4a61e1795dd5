// Tasks on the folder of the shown file: walking through it, moving to the trash.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/files/desktop/trash.h"
#include "app/state/history.h"
#include "app/viewer/loop/tasks/opening.h"

namespace texelscope {

FolderWalker::Show OpeningTasks::show_walked() {
    return [this](AppState& state, const std::string& path) { return walk_to_document(state, path, accept_); };
}

void OpeningTasks::begin_with(AppState& state, const std::string& folder) {
    begins_ = true;
    walker_.ask_for_folder(state, folder);
}

// The file goes first: what cannot be moved stays on the screen.
void OpeningTasks::run(AppState& state, const task::Trash&) {
    const Document* document = state.scene.document();
    if (!document || !document->is_file()) return;
    const std::string path = file_of(document->source);
    const size_t changes = state.history.past.size();
    state.trashed.push_back({move_to_trash(path), changes});
    next_.push_back(task::LeaveTrashed{path});
    walker_.look(state);

    const std::string text = path + ": moved to the trash";
    post(state, Message::Level::info, text);
    for (Message& message : state.messages) {
        if (message.text != text) continue;
        message.offer = "Undo";
        message.accept = [path](AppState& then) { then.tasks.push_back(task::Untrash{path}); };
    }
}

StillWanted OpeningTasks::run(AppState& state, const task::LeaveTrashed& request) {
    FolderWalker::Turn turn = walker_.leave_shown(state, show_walked());
    if (!turn.changed && !turn.wanted) turn.wanted = open_document(state, default_source, accept_);
    if (turn.wanted) return turn.wanted;
    close_trashed(state, request.path);
    return {};
}

void OpeningTasks::close_trashed(AppState& state, const std::string& path) {
    for (int i = int(state.scene.documents.size()); i-- > 0;)  // its other parts as well
        if (file_of(state.scene.documents[size_t(i)].source) == path) drop_document(state, i);
    std::erase_if(state.read.there, [&](const auto& each) { return file_of(each.first) == path; });
    begin_history_here(state);
    walker_.look(state);
    std::erase(state.ui.recent, path);
}

// Something else was asked for before the picture after a deleted one was there.
void OpeningTasks::close_left(AppState& state) {
    const Document* document = state.scene.document();
    const std::string shown = document ? file_of(document->source) : "";
    std::erase_if(left_, [&](const std::string& path) {
        if (path == shown) return false;
        close_trashed(state, path);
        return true;
    });
}

void OpeningTasks::run(AppState& state, const task::Untrash& request) {
    auto& trashed = state.trashed;
    const auto at = std::find_if(trashed.rbegin(), trashed.rend(), [&](const TrashedFile& file) {
        return request.original.empty() || file.original == request.original;
    });
    if (at == trashed.rend()) return;
    const TrashedFile file = *at;
    trashed.erase(std::next(at).base());  // even if that fails: it would fail again
    take_from_trash(file);
    const std::string path = file.original.string();
    std::erase(left_, path);
    withdraw(state, path + ": moved to the trash");
    walker_.look(state);
    post(state, Message::Level::info, path + ": back from the trash");
    next_.push_back(task::WalkTo{path});
}

}  // namespace texelscope
