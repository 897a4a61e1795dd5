#pragma once
// The program's report to the panels: timings, figures, values under the cursor. Nothing else reads it.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/decoding/picture_in_file.h"
#include "app/state/inspect_report.h"
#include "app/state/panel_state.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Milliseconds of the stages of one frame.
struct StageTimings {
    double prefilter = 0;  // on the backend's clock; 0 if the coefficients were cached
    double acquire = 0;    // mapping the pixel buffer, host
    double render = 0;     // all panes, on the backend's clock
    double release = 0;    // unmapping or copying, host
    double draw = 0;       // the picture, GL timer query
    double gui = 0;        // building and drawing the panels, host
    double total = 0;      // the frame from begin to swap, host

    // The host's other work for it.
    double plan = 0;    // from input and state to the plan, including the readouts
    double launch = 0;  // launching all panes; on the CPU backend, rendering them
    double submit = 0;  // OpenGL's calls for the picture

    double latency = 0;  // from the oldest input that the frame answers until it was handed over; 0: no input
};

// The last frames that rendered something, as a ring buffer.
struct FrameHistory {
    static constexpr int capacity = 120;
    std::array<StageTimings, capacity> frames;
    int count = 0, next = 0;

    void add(const StageTimings& frame) {
        frames[size_t(next)] = frame;
        next = (next + 1) % capacity;
        if (count < capacity) ++count;
    }
    // The newest; there must be one.
    StageTimings& latest() { return frames[size_t((next + capacity - 1) % capacity)]; }
    // i = 0 is the oldest kept.
    const StageTimings& at(int i) const { return frames[size_t((next - count + i + capacity) % capacity)]; }
};

// From the mouse to the screen: milliseconds from the arrival of the oldest input event that a frame answers until the
// frame was handed to the window system. Later delays in the display are not included.
struct Latency {
    double last = 0;    // of the last frame that answered one; 0: none yet
    double median = 0;  // of those among the last frames
    int frames = 0;     // how many these are
};
Latency latency_of(const FrameHistory& history);

// The figures in a sentence, with their meaning.
std::string latency_words(const Latency& latency);

// The values under the cursor.
struct Readout {
    Point position;         // sample space; warped if there is a warp
    bool on_image = false;  // within the samples' extent
    int channels = 0;
    std::array<float, 4> stored{}, interpolated{};  // straight alpha, normalised integers in [0, 1]
    std::vector<StoredNumber> numbers = {};         // as stored, exactly; empty: not known, or not what is stored

    // The two values that a shown difference is of, as they are compared: premultiplied.
    struct Compared {
        std::array<double, 4> value{}, reference{};  // NaN where nothing is measured
    };
    std::optional<Compared> compared = {};
    std::optional<float> map = {};  // of errors, which is shown instead: its value; NaN where nothing is compared
};

// The values that the cursor had last over the picture: for a mouse that has gone to a menu meanwhile.
struct LastReadout {
    int pane = 0;
    std::weak_ptr<const Image> image;  // that they are of
    MethodSpec spec;                   // that interpolated
    Readout readout;
};

// The cost of a pane.
struct PaneCost {
    double fetches = 0;    // per pixel, both axes; an average if widened, 0: varies over the picture
    bool taps = false;     // those of one pixel: on the auto path, neighbours may share fetches
    bool widened = false;  // antialiased: weights from a table
};
std::string count_words(const PaneCost& cost);    // "4 fetches", "16 taps", "~36 taps", "taps vary"
const char* count_meaning(const PaneCost& cost);  // of this text, for a tooltip
std::string mean_words(const PaneCost& cost);     // that a value is antialiased, for a tooltip

// The report on a pane.
// Stored samples that a pane shows so closely that there is room for their numbers.
struct SamplesInView {
    static constexpr int64_t most_values = 4000;  // more are not written

    std::shared_ptr<const Image> of;
    int x = 0, y = 0;  // of the first one
    std::shared_ptr<const Image> values;

    bool have(int at_x, int at_y) const {
        return values && at_x >= x && at_y >= y && at_x - x < values->width() && at_y - y < values->height();
    }
};

struct PaneReport {
    PaneCost cost;
    double render_ms = 0;            // on the backend's clock; 0: not rendered yet
    std::vector<double> times;       // render_ms of the same picture so far, where a lesson tells them (RepeatedTimes)
    ChosenKernel kernel;             // what computed it, and why
    double pixels = 0;               // of its picture
    std::optional<Metrics> metrics;  // against the reference; for the picture on the screen, unless …
    std::optional<MapFigures> map;   // of the map of errors that it shows, if it shows one; as old as the metrics
    bool outdated = true;            // … that has changed since
    std::optional<Readout> readout;  // at the position of the cursor, in every pane
    std::string no_readout;          // why there is none although the cursor is over a pane; empty if it was computed
    SamplesInView samples;           // if its image is not in memory

    double gigapixels_per_second() const { return render_ms > 0 ? pixels / render_ms * 1e-6 : 0; }
};

// The current recording.
struct RecordingReport {
    bool active = false;
    bool stopped = false;  // no more frames: those that there are are still being written
    double seconds = 0;    // so far
    int64_t bytes = 0;     // written so far
    std::string path;
};

// Panes whose smaller images or coefficients are being made in the background, and that show something else until then.
struct Preparing {
    std::vector<int> panes;
    size_t to_come = 0;    // parts of images that are read by regions: their pictures become sharper
    double part_done = 0;  // of one of them, 0 … 1
    bool of_file = false;  // smaller images that the file holds stand in for some
    double since = 0;      // AppState::now
    bool empty() const { return panes.empty() && to_come == 0; }
};

// Panes that show nothing but the background, since the backend does not compute their kernel of one's own, and why.
using NotComputed = std::map<int, std::string>;

// The last frame: what it waits for and its times.
struct FrameStatus {
    Preparing preparing;
    NotComputed not_computed;
    StageTimings timings;
    double antialiased_ms = 0;  // for the last picture with a widened weight function
    FrameHistory history;
    Latency latency;
    std::string drawn_from;    // how the picture gets from the pixel buffer to the screen: "buffer texture", "texture"
    int64_t frames_drawn = 0;  // since the start, whether or not anything was rendered for them
    double frames_per_second = 0;  // over the last second; 0 while nothing moves
    bool computing = false;        // the next picture, which takes long
};

// What was found out about the pictures: figures, values, plots.
struct Findings {
    std::optional<Readout> readout;  // of the focused pane
    std::optional<LastReadout> last_readout;
    std::vector<PaneReport> panes;  // one per pane; empty before the first frame
    bool measuring = false;         // metrics are pending
    std::string no_metrics;         // why there are none; empty if there are or will be
    std::string no_psnr;            // why there are others, but neither PSNR nor SSIM; empty if that is not so
    std::string no_taps, no_profile, no_curves, no_spectrum, no_histogram, no_statistics,
        no_stage;                   // likewise
    std::optional<TapReport> taps;  // of the pixel under the cursor
    ProfileReport profile;
    CurvesReport curves;
    StageReport stage;
    SpectrumReport spectrum;
    HistogramReport histogram;
    StatisticsReport statistics;
};

// What its file says of the shown picture.
struct FileReport {
    std::string source;  // of the document; others have no facts yet
    PictureFacts facts;
    std::string problem = {};  // why there are none
};

struct Report {
    FrameStatus frame;
    Findings findings;
    FileReport file;
    BackgroundReport background;
    BackgroundReport saving;  // of pictures, which nothing else waits for
    ExperimentsReport experiments;
    RestoringReport restoring;
    IdentifyReport identifying;
    ExplainReport explaining;
    RecordingReport recording;
};

}  // namespace texelscope
