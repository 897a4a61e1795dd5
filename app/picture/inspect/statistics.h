#pragma once
// Mean, deviation, extremes and percentiles of an image's samples, or of those in a part of it.

#include <memory>
#include <optional>
#include <stop_token>

#include "app/state/app_state.h"
#include "app/state/inspect_report.h"
#include "app/state/view_math.h"
#include "app/work/demand.h"
#include "app/work/worker.h"
#include "gpu/core/image.h"

namespace texelscope {

// The samples whose centres lie in a region; empty if none does. Without a region, all.
SampleBox samples_in(const std::optional<Region>& region, const Image& image);

// Exact, in float64. Null if it was asked to stop, which it notices every 256 rows. Throws std::bad_alloc.
std::optional<SampleStatistics> statistics_of(const Image& image, const SampleBox& box,
                                              const std::stop_token& stop = {});

// Computes the statistics that the dock shows, in a thread of its own: a large image takes longer than a frame.
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
