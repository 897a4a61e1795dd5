#pragma once
// Computes the statistics that the dock shows, in a thread of its own: a large image takes longer than a frame.

#include <memory>
#include <optional>

#include "app/picture/inspect/statistics.h"
#include "app/state/app_state.h"
#include "app/state/beside_window.h"

namespace texelscope {

class StatisticsWorker {
public:
    // Once per frame: puts a result into the report, and starts what is asked for. True if the report has changed.
    bool follow(AppState& state);

    bool has_news() const { return work_.has_news(); }
    void wake(WakeUp& wake_up) const { work_.wake(wake_up, 0.02); }

private:
    struct Question {
        std::shared_ptr<const Image> image;
        SampleBox box;
        bool operator==(const Question&) const = default;
    };

    static std::optional<Question> asked(const AppState& state);

    std::optional<Question> answered_;
    BesideWindow<Question, std::optional<SampleStatistics>> work_;
};

}  // namespace texelscope
