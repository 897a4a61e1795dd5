#pragma once
// Lists a folder's pictures in a thread of its own: a folder may have 100 000, or be on a slow network.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/files/folder_listing.h"
#include "app/state/scene.h"
#include "app/state/wake_up.h"

namespace texelscope {

struct FolderRequest {
    std::string folder;
    FolderOrder order = FolderOrder::name;
    bool descending = false;
    FileStamp stamp = {};  // of the folder, before it is read
    bool operator==(const FolderRequest&) const = default;
};

class FolderReader {
public:
    // Also when another folder is being read: that is then ended.
    void start(FolderRequest request);

    bool is_reading(const FolderRequest& request) const { return run_ && run_->request == request; }
    bool reads() const { return run_ != nullptr; }
    bool has_news() const { return run_ && run_->ended; }
    void wake(WakeUp& wake_up) const;

    struct Result {
        FolderRequest request;
        FolderListing listing;
    };
    std::optional<Result> take();  // once, what has been read

private:
    struct Run {
        FolderRequest request;
        FolderListing listing;
        std::atomic<bool> ended = false;
        std::jthread thread;  // last: it uses all of the above
    };
    std::unique_ptr<Run> run_;
};

}  // namespace texelscope
