#pragma once
// Statistics and histograms of an image's samples and of what is shown.

#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "app/picture/rendered_rows.h"
#include "app/picture/rendition.h"
#include "app/state/app_state.h"
#include "app/state/inspect_report.h"
#include "app/state/scene.h"
#include "app/state/view_math.h"
#include "app/work/work.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display.h"

namespace texelscope {

// Mean, deviation, extremes and percentiles of an image's samples, or of those in a part of it.

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

// The histogram of a picture's values.

inline constexpr int histogram_bins = 256;

enum class LastChannel { colour, alpha };  // alpha: the others are straight colour

// For `channels` floats per pixel. `counted`: one flag per pixel, 0 leaves it out; empty: all count. Bins cover the
// finite values; for integers at least [0, 1], there centred on the 256 levels of 8 bits. With alpha, they cover the
// colours of the pixels that have at least half of the largest alpha: where a method overshoots, alpha comes near 0
// beside colour that does not, so that their quotient is of any size.
HistogramReport histogram_of(std::span<const float> values, int channels, bool integers,
                             std::span<const unsigned char> counted = {}, LastChannel last = LastChannel::colour);

// The histogram of a pane's picture.

// Straight alpha; pixels that show the background are left out, and those outside the selection. None if samples have still to
// come. Throws OutOfMemory or Error.
std::optional<HistogramReport> pane_histogram(SourceImage& source, const Rendition& rendition,
                                              const std::optional<MeasureJob::Selection>& selection = {});

// Auto contrast: black and white level from percentiles of the stored samples.

// The values below and above which a share (0 … 0.5) of the samples lies: of all colour channels, or of the one that is
// shown. Of at most a million samples, evenly spread over the region, or without one over the image; exact if it has no
// more. Colour times alpha counts as straight colour; what is not finite or transparent does not count. Empty if nothing
// is left, or if all samples have the same value.
std::optional<Levels> auto_levels(const Image& image, const std::optional<Region>& region, ChannelView shown,
                                  double share);

// The values that a picture shows, NaN for pixels beyond the image or the selection: for levels of images whose samples
// are not in memory. None if those have still to come.
std::optional<Image> values_in_view(SourceImage& source, const RenderRequest& picture,
                                    const std::optional<MeasureJob::Selection>& selection);

}  // namespace texelscope
