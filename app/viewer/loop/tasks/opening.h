#pragma once
// Tasks that show other pictures, or more of the shown one: by name, from the list, the folder, a session; parts of its
// file; what is moved to the trash.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/state/app_state.h"
#include "app/viewer/loop/folder_walker.h"
#include "app/viewer/loop/tasks/steps.h"
#include "app/work/work.h"
#include "gpu/core/image.h"

namespace texelscope {

class OpeningTasks {
public:
    explicit OpeningTasks(const AcceptImage& accept) : accept_(accept) {}

    StillWanted run(AppState& state, const task::Open& request);
    StillWanted run(AppState& state, const task::ShowDocument& r) { return show_document(state, r.index, accept_); }
    StillWanted run(AppState& state, const task::LoadDocument& request);
    StillWanted run(AppState& state, const task::ShowFirst& request);
    StillWanted run(AppState& state, const task::Close& request) {
        return close_document(state, accept_, request.source);
    }
    StillWanted run(AppState& state, const task::Reload& request);
    void run(AppState& state, const task::RunProgram& request);
    void run(AppState& state, const task::AllowCommand& request);
    StillWanted run(AppState& state, const task::OpenSession& request);
    StillWanted run(AppState& state, const task::ChoosePicture& request);
    StillWanted run(AppState& state, const task::SetUpright& request);
    void run(AppState& /*state*/, const task::Walk& request) { walker_.ask(request); }
    StillWanted run(AppState& state, const task::WalkTo& r) { return walk_to_document(state, r.path, accept_); }
    void run(AppState& state, const task::Trash& request);
    StillWanted run(AppState& state, const task::LeaveTrashed& request);
    void run(AppState& state, const task::Untrash& request);

    // The files that these read, which their errors are about.
    static std::string about(const AppState& state, const task::Open& request);
    static std::string about(const AppState& state, const task::ShowDocument& request);
    static std::string about(const AppState& state, const task::Reload& request);
    static std::string about(const AppState&, const task::LoadDocument& request) { return request.source; }
    static std::string about(const AppState&, const task::OpenSession& request) { return request.path; }

    // What the task that was run last leads to: before what was asked for after it.
    std::vector<Task> take_next() { return std::exchange(next_, {}); }

    // Once per turn of the loop: the shown file's folder, and steps through it. Calls `end` when a walk has ended.
    template <class End> FolderWalker::Turn follow_folder(AppState& state, End end) {
        const bool walked = walks();
        FolderWalker::Turn turn = walker_.follow(state, show_walked());
        if (turn.wanted) return turn;
        close_left(state);
        if (!walked || walks()) return turn;
        end();
        if (std::exchange(begins_, false)) leave_empty(state);
        return turn;
    }
    void look_at_folder(const AppState& state) { walker_.look(state); }  // about once per second
    void wake(WakeUp& wake_up) const { walker_.wake(wake_up); }
    bool rests() const { return walker_.rests(); }
    bool walks() const { return walker_.walks(); }
    void give_up_walk() { walker_.give_up(); }

    // At the start, with a folder; what nothing can be shown of gives way to the default picture.
    void begin_with(AppState& state, const std::string& folder);
    void leave_empty(AppState& state);

    // A file in the trash that is closed once another picture is shown: something else was asked for before the picture
    // after it was there.
    void leave_later(const std::string& path) { left_.push_back(path); }
    void close_left(AppState& state);

private:
    StillWanted open_picture(AppState& state, const task::Open& request);
    FolderWalker::Show show_walked();
    void close_trashed(AppState& state, const std::string& path);

    const AcceptImage& accept_;
    FolderWalker walker_;
    std::vector<Task> next_;
    std::vector<std::string> left_;
    bool begins_ = false;  // none of its pictures has been shown yet
};

// Pastes what another program has copied: a picture as a document of its own, or the files whose names it has copied.

class Paster {
public:
    // `wake`: see BackgroundWork.
    explicit Paster(std::function<void()> wake) : work_(std::move(wake)) {}

    struct Pasted {
        std::vector<std::string> files;      // to be opened; empty: it is a picture
        std::shared_ptr<const Image> image;  // null: it is files
    };

    // Reads the clipboard in the background.
    void ask();
    bool has_news() const { return work_.has_news(); }
    bool rests() const { return !work_.question(); }

    // What has been read; throws why there is nothing.
    Pasted take();

private:
    struct Nothing {};
    BackgroundWork<Nothing, Pasted> work_;
};

// "pasted", or "pasted 2" and so on if there is one already, open or kept for undo.
std::string name_for_pasted(const AppState& state);

}  // namespace texelscope
