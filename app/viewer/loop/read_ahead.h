#pragma once
// Reads pictures in the background before they are asked for: documents that have not been shown yet, since one may be the
// larger original of another, and the neighbours of the shown file in its folder. With the lowest priority, as their decoders.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "app/state/app_state.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/work/work.h"

namespace texelscope {

class ReadAhead : public Worker {
public:
    // What is kept of neighbours: decoded bytes. By default a share of the memory that the machine has left, asked from
    // time to time: it is the first to be given back.
    explicit ReadAhead(std::function<size_t()> budget = share_of_memory) : budget_(std::move(budget)) {}
    static size_t share_of_memory();

    // Puts an image that has been read into its document, and offers it if it is an original; begins to read the next one,
    // each once, of at most four documents with small files; then neighbours. Nothing while a picture is read to be shown.
    // True if the state has changed.
    bool read_next(AppState& state);

    // Once the first picture is seen, and while nothing is dragged.
    bool poll(AppState& state) override {
        const bool first_is_seen = state.report.frame.frames_drawn > 0;
        return first_is_seen && state.pointer.drag == Pointer::Drag::none && read_next(state);
    }

    bool reading() const { return work_.question() != nullptr; }
    void wake(const AppState& /*state*/, WakeUp& wake_up) const override { work_.wake(wake_up, 0.05); }

private:
    std::string unread_document(const AppState& state);
    std::string unread_neighbour(const AppState& state);
    void trim(AppState& state);

    std::function<size_t()> budget_;
    size_t permitted_ = 0;                   // what the budget was then
    double asked_ = -1e9;                    // seconds
    std::set<std::string> tried_;            // documents
    std::map<std::string, FileStamp> seen_;  // neighbours: those that cannot be read, or kept, are not tried again
    BackgroundWork<PictureQuestion, std::shared_ptr<const Image>> work_;
};

}  // namespace texelscope
