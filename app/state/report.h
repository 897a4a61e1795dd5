#pragma once
// What the program tells the panels: where the picture is, who computes, how long it took, what lies under the cursor.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/experiments_ui.h"
#include "app/state/inspect_report.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/device_limits.h"
#include "gpu/core/view.h"
#include "gpu/method/paths.h"

namespace texelscope {

// Framebuffer pixels from the window's upper left.
struct PixelRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
    bool contains(double px, double py) const { return px >= x && py >= y && px < x + width && py < y + height; }
    bool operator==(const PixelRect&) const = default;
};

// Milliseconds of the stages of one frame.
struct StageTimings {
    double prefilter = 0;  // on the backend's clock; 0 where the coefficients were at hand
    double acquire = 0;    // mapping the pixel buffer, host
    double render = 0;     // all panes, on the backend's clock
    double release = 0;    // unmapping or copying, host
    double draw = 0;       // the picture, GL timer query
    double gui = 0;        // building and drawing the panels, host
    double total = 0;      // the frame from begin to swap, host

    // What else the host did for it.
    double plan = 0;    // from input and state to what is to be rendered, the readouts included
    double launch = 0;  // asking for all panes; on the CPU backend rendering them
    double submit = 0;  // OpenGL's calls for the picture

    double latency = 0;  // from the oldest input that the frame answers until it was handed over; 0: answers none
};

// The last frames that rendered something, as a ring.
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

// From the mouse to the screen: milliseconds from the oldest input event that a frame answers, as the program hears of
// it, until the frame was handed to the window system. What the display does afterwards is not in it.
struct Latency {
    double last = 0;    // of the last frame that answered one; 0: none yet
    double median = 0;  // of those among the last frames
    int frames = 0;     // how many these are
};
Latency latency_of(const FrameHistory& history);

// The figures in a sentence, and what they mean.
std::string latency_words(const Latency& latency);

// What lies under the cursor.
struct Readout {
    Point position;         // sample space; warped where there is a warp
    bool on_image = false;  // within the samples' extent
    int channels = 0;
    std::array<float, 4> stored{}, interpolated{};  // straight alpha, integers in [0, 1]
};

// What a pane costs.
struct PaneCost {
    double fetches = 0;    // a pixel, both axes; of what is widened, on the average, 0: differing from place to place
    bool taps = false;     // those that a pixel is made of: on the path auto neighbours may share what is fetched
    bool widened = false;  // antialiased: weights from a table
};
std::string count_words(const PaneCost& cost);    // "4 fetches", "16 taps", "~36 taps", "taps vary"
const char* count_meaning(const PaneCost& cost);  // of these words, for a tooltip

// What is known about a pane.
struct PaneReport {
    PaneCost cost;
    double render_ms = 0;            // on the backend's clock; 0: not rendered yet
    double pixels = 0;               // of its picture
    std::optional<Metrics> metrics;  // against the reference; of the picture on the screen, unless …
    bool outdated = true;            // … that has changed since
    std::optional<Readout> readout;  // at the place of the cursor, in every pane

    double gigapixels_per_second() const { return render_ms > 0 ? pixels / render_ms * 1e-6 : 0; }
};

// The recording under way.
struct RecordingReport {
    bool active = false;
    double seconds = 0;  // of it so far
    std::string path;
};

struct Report {
    PixelRect picture;  // where the picture area is
    int framebuffer_width = 0, framebuffer_height = 0;
    std::string rung;         // "CUDA·GL", "CUDA, staged copy", "CPU"
    std::string rung_reason;  // why none higher, or no device before this one; empty on the highest
    bool rung_refused = false;  // a GPU is there that could not be used
    std::string device, device_detail, gl_renderer;
    bool on_gpu = false;
    DeviceLimits limits;  // of the backend; textures of size 0: no limit
    StageTimings timings;
    double antialiased_ms = 0;  // of the last picture with a widened weight function
    double last_prefilter = 0;  // milliseconds that the coefficients in use took when they were made
    FrameHistory history;
    Latency latency;
    std::string drawn_from;  // how the picture gets from the pixel buffer to the screen: "buffer texture", "texture"
    int64_t frames_drawn = 0;  // since the start, whether anything was rendered for them or not
    double frames_per_second = 0;  // over the last second; 0 while nothing moves
    std::optional<Readout> readout;  // of the focused pane
    std::vector<PaneReport> panes;   // one a pane; empty before the first frame
    bool measuring = false;         // metrics are to come
    std::string no_metrics;         // why there are none; empty where there are or will be
    std::optional<TapReport> taps;  // of the pixel under the cursor
    ProfileReport profile;
    CurvesReport curves;
    HistogramReport histogram;
    ExperimentsReport experiments;
    RecordingReport recording;

    // Places of controls, window coordinates: filled where a test asked for it.
    bool note_controls = false;
    std::vector<std::pair<std::string, std::array<float, 4>>> controls;
};

}  // namespace texelscope
