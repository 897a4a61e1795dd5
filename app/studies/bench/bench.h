#pragma once
// Runs the cases of texelscope bench, one after another.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/studies/bench/result.h"
#include "gpu/backend/backend.h"

namespace texelscope {

// Called after each case with the number done and the total.
using BenchProgress = std::function<void(size_t done, size_t total)>;

// Seconds that the cases of a plan share; no limit for a full plan.
double budget_seconds(const BenchPlan& plan);

// A case that cannot be measured here, for lack of memory or of a feature, gives a result with the reason; throws Error
// if that is every case. The section `frame` opens a hidden window.
BenchReport run_bench(const std::shared_ptr<Backend>& backend, const BenchPlan& plan,
                      const BenchProgress& progress = {});

// What one case costs on one backend.

// The cost of merely moving bytes: copies within the backend's memory.
class CopyFloor {
public:
    CopyFloor(BenchClock& clock, const Effort& effort);

    // For the large copy, whose bandwidth is the reference of shares.
    const Timing& large() const { return large_; }
    double large_bytes() const { return 2.0 * double(large_half_); }  // moved

    // Microseconds of a copy that moves this many bytes: reads half of them and writes half. Successive copies cycle
    // through bytes_in_turn(); a copy that does not fit in memory is estimated from the large one's bandwidth.
    double us(double bytes);

private:
    Timing measured(size_t half);

    BenchClock& clock_;
    Effort effort_;
    size_t pool_bytes_, large_half_;
    std::shared_ptr<void> pool_;
    Timing large_;
    std::map<size_t, double> known_;  // by half the number of bytes
};

// Measures one case on one backend.
class CaseMeasurer {
public:
    explicit CaseMeasurer(const std::shared_ptr<Backend>& backend);

    // Figures of the case, without the ratio to bilinear. No more than this many sources take turns. Throws OutOfMemory
    // or Error.
    BenchResult measure(const BenchCase& of, double limit_ms, int most_sources = most_in_turn);

    // Frees the pictures that the next case would have reused.
    void forget() { sources_.reset(); }

    const CopyFloor& copies() const { return copies_; }

private:
    struct Key {
        PixelFormat format;
        int width = 0, height = 0, copies = 0;
        bool operator==(const Key&) const = default;
    };

    void measure_render(const BenchCase& of, const Effort& effort, BenchResult& result);
    void measure_prefilter(const BenchCase& of, const Effort& effort, BenchResult& result);
    void measure_whole_call(const BenchCase& of, const Effort& effort, BenchResult& result);
    BenchSources& sources_of(const BenchCase& of, double bytes_of_each);

    std::shared_ptr<Backend> backend_;
    BenchClock clock_;
    CopyFloor copies_;
    BenchOutputs outputs_;
    int most_sources_ = most_in_turn;
    Key key_;
    std::unique_ptr<BenchSources> sources_;
};

// How an image that is not in memory is explored: the first picture, dragging, and what comes after.

// Results "tiles/…", each with what it is in its note, for plan.image in a window's size (3840×2160, on the CPU 1280×720):
//   first picture        from opening the source to a picture of the whole; the right one: without coarser samples
//   frame of a drag      of 1200 pixels a second at zoom 1, sixty frames a second, into parts that were not seen before; the
//                        longest frame; the frames that were not all right
//   after a drag         until the picture is right
//   pan over tiles       slowly over an image of 8192² samples (quickly: 2048²) as if it were not in memory, and over the same in memory
// A reason instead if the image cannot be read. No window is opened.
void add_tile_results(const BenchPlan& plan, const std::shared_ptr<Backend>& backend,
                      std::vector<BenchResult>& results);

// How a picture gets from the backend to the screen of this machine, stage by stage, each route timed.

struct FrameStage {
    std::string name;                               // see below
    double median_ms = 0, low_ms = 0, high_ms = 0;  // of the frames measured: median and quartiles
    std::string note;                               // which clock, and what it includes
};

// Stages by name (gpu/core/timing.h where the timing panel has them too). Each is timed separately, after the others:
//   "acquire", "render", "release"  the pixel buffer for the backend, rendering, the pixel buffer for OpenGL
//   "acquire to release"            all three, on the backend's clock
//   "draw from a buffer texture", "glTexSubImage2D", "draw from a texture", "glTexSubImage2D + draw"
//   "interop frame", "staged frame"  CUDA only: acquire to release, and the same through host memory; on the host's clock
// What the host spends when nothing is waited for:
//   "host: acquire", "host: render", "host: release", "host: draw calls", "host: render 16 panes"
// And "frames in a row", one after another without waiting. The second rung has no interop frame.
struct FrameBench {
    std::string rung;           // "CUDA·GL", "CUDA, staged copy", "CPU"
    std::string renderer;       // GL_RENDERER
    int width = 0, height = 0;  // of the picture, pixels
    std::vector<FrameStage> stages;

    // Null if there is none with this name.
    const FrameStage* stage(const std::string& name) const;
};

// Cubic B-spline of an 8-bit RGB image at zoom 4, rotated by 10°, rendered into a pixel buffer of width × height
// and drawn by each route, `frames` times each (fewer if that takes more than two seconds), in a hidden window.
// Throws Unavailable without a window or a backend; Error for a size beyond OpenGL's, or numbers below 1;
// OutOfMemory.
FrameBench measure_frame_stages(BackendChoice choice, int width = 3840, int height = 2160, int frames = 60);

}  // namespace texelscope
