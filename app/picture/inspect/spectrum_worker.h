#pragma once
// The spectra that the dock shows: pixels are rendered between frames, and transformed in a thread of their own.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/picture/inspect/spectrum.h"
#include "app/picture/prepared_sources.h"
#include "app/picture/rendition.h"
#include "app/state/app_state.h"
#include "app/state/inspect_report.h"
#include "app/state/view_math.h"
#include "app/work/work.h"

namespace texelscope {

inline constexpr size_t most_spectra = 6;  // of panes

class SpectrumWorker : public Worker {
public:
    // Once per frame, once it is rendered: puts a result into the report, and begins with what is shown now unless it works:
    // while the view moves, spectra follow as fast as they are computed. True if the report has changed.
    bool fill(AppState& state, SourceCache& sources, PreparedSources* prepared = nullptr);

    bool poll(AppState& /*state*/) override { return work_.has_news(); }  // the frame takes it
    void wake(const AppState& state, WakeUp& wake_up) const override;

    // Waits for what is being transformed. For tests.
    void wait() { work_.wait(); }

private:
    struct AskedPane {
        int pane = 0;
        Rendition rendition;
        Affine place;    // from its pixels to the sample space of the current image
        double own = 1;  // samples of its own image to one of the current image
        bool operator==(const AskedPane&) const = default;
    };
    struct Asked {
        std::shared_ptr<const Image> image;
        SampleBox part;
        Extent whole;
        bool of_selection = false, windowed = true, warped = false;
        int channel = -1;
        std::vector<AskedPane> panes;
        bool operator==(const Asked&) const = default;
    };
    // Of a pane that is to be transformed; none for a reason.
    struct Rendered {
        std::shared_ptr<const Image> pixels;
        std::string why_not = {};
    };
    struct Question {
        Asked asked;
        std::vector<Rendered> panes;
    };
    // The first of the samples.
    using Answer = std::vector<std::shared_ptr<const Spectrum>>;

    static Asked asked_now(const AppState& state);
    static Answer compute(const Question& question, const std::stop_token& stop);
    bool begin(Asked now, SourceCache& sources, PreparedSources* prepared);
    void take(BackgroundWork<Question, Answer>::Result result, Findings& findings);
    std::shared_ptr<const SpectrumReport::Response> response_of(const AskedPane& pane);

    std::optional<Asked> done_, awaited_;
    double awaited_since_ = 0;
    std::vector<std::pair<MethodSpec, std::shared_ptr<const SpectrumReport::Response>>> responses_;
    BackgroundWork<Question, Answer> work_;
};

// The part of the picture that a pane shows, in samples of the current image, without a warp: along the axes, and as large as
// fits into the pane if the view is rotated.
Region region_in_view(const AppState& state, int pane);

// The pixels of a request that show a part of the picture, to be rendered alone; `place`: from pixels to the samples of the
// part. None if there are none. Beyond the image, samples are extended.
std::optional<RenderRequest> pixels_of(const RenderRequest& request, const Image& image, const Affine& place,
                                       const SampleBox& part);

// Samples from one pixel to the next.
double pitch_of(const Affine& place);

}  // namespace texelscope
