#pragma once
// Reads documents that have not been shown yet, beside the window, since one may be the larger original of another.

#include <future>
#include <memory>
#include <set>
#include <string>

#include "app/state/app_state.h"
#include "app/state/wake_up.h"

namespace texelscope {

class ReadAhead {
public:
    // Puts an image that has been read into its document, and offers it if it is an original; begins to read the next one,
    // each once, of at most four documents with small files. True if the state has changed.
    bool tick(AppState& state);

    bool reading() const { return image_.valid(); }
    void wake(WakeUp& wake_up) const;

private:
    void begin(AppState& state);

    std::set<std::string> tried_;
    std::string source_;
    FileStamp stamp_;                                  // of the file before it was read
    std::future<std::shared_ptr<const Image>> image_;  // null if it cannot be read, which is said once it is shown
};

}  // namespace texelscope
