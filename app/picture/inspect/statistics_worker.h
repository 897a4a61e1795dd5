#pragma once
// Computes the statistics that the dock shows, in a thread of its own: a large image takes longer than a frame.

#include <memory>
#include <optional>

#include "app/picture/inspect/statistics.h"
#include "app/state/app_state.h"
#include "app/work/demand.h"
#include "app/work/worker.h"

namespace texelscope {

class StatisticsWorker : public Worker {
public:
    // Once per frame: puts a result into the report, and starts what is asked for. True if the report has changed.
    bool fill(AppState& state);

    bool poll(AppState& /*state*/) override { return statistics_.has_news(); }  // the frame takes it
    void wake(const AppState& /*state*/, WakeUp& wake_up) const override { statistics_.wake(wake_up, 0.02); }

private:
    struct Question {
        std::shared_ptr<const Image> image;
        SampleBox box;
        bool operator==(const Question&) const = default;
    };

    static std::optional<Question> asked(const AppState& state);

    Demand<Question, std::optional<SampleStatistics>> statistics_;
};

}  // namespace texelscope
