#pragma once
// Walks through the pictures of a folder: keeps the list of the shown file's folder up to date, and goes to another
// picture of it.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "app/files/desktop/folders.h"
#include "app/state/app_state.h"
#include "app/work/work.h"

namespace texelscope {

// A folder may have 100 000 pictures, or be on a slow network: it is listed in the background.
struct FolderRequest {
    std::string folder;
    FolderOrder order = FolderOrder::name;
    bool descending = false;
    FileStamp stamp = {};  // of the folder, before it is read
    bool operator==(const FolderRequest&) const = default;
};

class FolderWalker {
public:
    // Shows a file. Throws Error if it cannot be read; then, and while it is still wanted, everything is as it was.
    using Show = std::function<StillWanted(AppState& state, const std::string& path)>;

    struct Turn {
        bool changed = false;     // the state
        StillWanted wanted = {};  // a picture that is not there yet: what was asked for stays
    };

    // Requests, which follow() carries out once the folder has been read. Steps that have not been taken yet add up.
    void ask(const task::Walk& walk);
    void ask_for_folder(AppState& state, const std::string& folder);  // its first picture

    // A source could not be read: where no file is shown, the folder of its file is walked through from its place.
    void start_from(const std::string& source);

    // Once per turn of the loop. Throws DeviceLost; the request then stays.
    Turn follow(AppState& state, const Show& show);

    // About once per second: whether files have come or gone.
    void look(const AppState& state);

    // Nothing is asked for any more: something else is to be shown.
    void give_up() { request_.reset(); }

    // The next picture, else the one before. Unchanged if there is none that can be read. Throws as follow() does.
    Turn leave_shown(AppState& state, const Show& show);

    // Nothing is being read or asked for.
    bool rests() const { return !reader_.question() && !request_; }
    bool walks() const { return request_.has_value(); }
    void wake(WakeUp& wake_up) const { reader_.wake(wake_up, 0.005); }  // a picture may wait for it

private:
    struct Request {
        std::optional<int> steps;  // from the shown picture; unset: from an end of the folder
        bool from_last = false;
        std::string folder = {};  // that was asked for by name
    };
    bool read_folder(AppState& state);
    void place(AppState& state);
    int first_after(const FolderView& view) const;  // for a shown file that is not in the list: where it would be
    StillWanted carry_out(AppState& state, const Show& show);
    Turn show_from(AppState& state, int from, int direction, const Show& show);
    Turn try_to_show(AppState& state, const std::string& path, const Show& show);
    void tell(AppState& state, std::string text);
    bool forget_told(AppState& state);

    BackgroundWork<FolderRequest, FolderListing> reader_;
    FolderRequest listed_;       // what the state has
    FileStamp stamp_;            // of the folder, at the last look
    bool just_changed_ = false;  // when it was listed: it is listed once more
    std::string placed_;         // the file whose position the state has
    FolderEntry last_placed_;    // its entry, in case it vanishes
    std::string unreadable_;     // the last file that could not be read
    std::optional<Request> request_;
    bool request_waits_ = false;               // for the folder to be read
    std::string told_, told_of_;               // why a walk ended, and the file that was shown then
    std::map<std::string, FileStamp> unread_;  // files that could not be read: not tried again until they change
};

}  // namespace texelscope
