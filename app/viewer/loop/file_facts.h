#pragma once
// Asks the shown picture's file, in the background, what parts and channels it has and how it lies.

#include <string>

#include "app/state/app_state.h"
#include "app/work/work.h"

namespace texelscope {

class FileFacts : public Worker {
public:
    bool poll(AppState& state) override;
    void wake(const AppState& /*state*/, WakeUp& wake_up) const override { facts_.wake(wake_up, 0.02); }

private:
    struct Question {
        std::string source;
        FileStamp stamp;
        bool operator==(const Question&) const = default;
    };
    Demand<Question, PictureFacts> facts_;
};

}  // namespace texelscope
