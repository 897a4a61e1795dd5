#include "app/viewer/loop/folder_reader.h"

#include <exception>
#include <utility>

namespace texelscope {

void FolderReader::start(FolderRequest request) {
    run_.reset();
    run_ = std::make_unique<Run>();
    run_->request = std::move(request);
    run_->thread = std::jthread([run = run_.get()](const std::stop_token& stop) {
        const FolderRequest& asked = run->request;
        try {
            run->listing = list_pictures(asked.folder, asked.order, asked.descending, stop);
        } catch (const std::exception& error) {
            run->listing.problem = asked.folder + ": " + error.what();
        }
        run->ended = true;
    });
}

std::optional<FolderReader::Result> FolderReader::take() {
    if (!has_news()) return {};
    run_->thread.join();
    Result result{std::move(run_->request), std::move(run_->listing)};
    run_.reset();
    return result;
}

void FolderReader::wake(WakeUp& wake_up) const {
    constexpr double look_every = 0.005;  // a picture may wait for it
    if (run_) wake_up.look_in(look_every);
}

}  // namespace texelscope
