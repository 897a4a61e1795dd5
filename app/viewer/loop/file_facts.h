#pragma once
// Asks the shown picture's file, beside the window, what parts and channels it has and how it lies.

#include <string>

#include "app/state/app_state.h"
#include "app/state/beside_window.h"
#include "app/state/wake_up.h"

namespace texelscope {

class FileFacts {
public:
    // Once per turn of the loop. True if there is news.
    bool follow(AppState& state);
    void wake(WakeUp& wake_up) const;

private:
    struct Question {
        std::string source;
        FileStamp stamp;
        bool operator==(const Question&) const = default;
    };
    Question asked_;  // the latest, answered or not
    BesideWindow<Question, PictureFacts> work_;
};

}  // namespace texelscope
