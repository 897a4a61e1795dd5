#pragma once
// Computes the statistics that the dock shows, in a thread of its own: a large image takes longer than a frame.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/picture/inspect/statistics.h"
#include "app/state/app_state.h"
#include "app/state/wake_up.h"

namespace texelscope {

class StatisticsWorker {
public:
    // Once per frame: puts a result into the report, and starts what is asked for once nothing runs any more.
    // True if the report has changed.
    bool follow(AppState& state);

    bool has_news() const { return run_ && run_->ended; }
    void wake(WakeUp& wake_up) const;

private:
    struct Question {
        std::shared_ptr<const Image> image;
        SampleBox box;
        bool operator==(const Question&) const = default;
    };
    struct Run {
        Question question;
        std::optional<SampleStatistics> result;
        std::string problem;
        std::atomic<bool> ended = false;
        std::jthread thread;  // last: it uses all of the above
    };

    static std::optional<Question> asked(const AppState& state);
    void start(Question question);

    std::optional<Question> answered_;
    std::unique_ptr<Run> run_;
};

}  // namespace texelscope
