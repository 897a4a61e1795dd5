#pragma once
// The spectrum of values on a grid: of a picture's samples, or of the pixels that a method makes of them.

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/drawing/plot.h"
#include "app/picture/prepared_sources.h"
#include "app/picture/rendition.h"
#include "app/state/app_state.h"
#include "app/state/inspect_report.h"
#include "app/state/view_math.h"
#include "app/work/work.h"
#include "gpu/core/image.h"

namespace texelscope {

inline constexpr int longest_transformed = 1024;  // values along each axis

// `hann`: weights ½ − ½ cos(2πn / N) along each axis, so that the values' jump from one end to the other is not taken
// for a frequency. The sides of a wave's line are four bins wide instead.
enum class SpectrumWindow { none, hann };

// The power at frequency k: |Σ w(n) (v(n) − m) e^{−2πi kn/N}|² / (N Σ w²), computed in float64, where m is the mean, w the
// window, and N the number of values; at frequency 0 in addition m². What is not finite counts as 0. `values`: row by row.
// May be stopped (StoppableLoops). Throws std::bad_alloc.
Spectrum spectrum_of(std::span<const float> values, int width, int height, SpectrumWindow window, double pitch = 1);

// One channel of the samples in a box, row by row, as methods read them: integers in [0, 1], colour times alpha. Channel −1:
// luma of colours, else the first. Reads them if they are not in memory.
std::vector<float> channel_values(const Image& image, const SampleBox& box, int channel);

// The part in the middle of a box with at most so many samples along each axis; unless it is `exact`, with lengths that are
// transformed quickly.
SampleBox middle_part(const SampleBox& box, Extent most, bool exact);

// The power at the frequency nearest to this one; beyond the grid's own Nyquist frequency that of its copy if it `repeats`,
// as the spectrum of samples does, else 0.
double power_at(const Spectrum& spectrum, double x, double y, bool repeats);

// 10·log₁₀; −∞ for zero.
double power_decibels(double power);

// The range drawn, in dB below the strongest frequency of the samples.
inline constexpr double spectrum_range = 100;

// A square picture, u8 × 3, of the frequencies up to `reach` on either side of 0, in `side` pixels: each shows the largest of
// the powers in it, in dB below `top`. Beyond the grid's own Nyquist frequency its copies, darkened, if it `repeats`, else
// nothing.
Image spectrum_picture(const Spectrum& spectrum, double reach, int side, double top, bool repeats);

// The highest frequency drawn along each axis: the one chosen; if that is 0, the pixels' Nyquist frequency, but at least
// that of the samples and at most twice as much.
double spectrum_reach(const SpectrumReport& report, double chosen);

// The radial profiles in dB below the strongest frequency of the samples, with the responses of the methods, and of the
// prefilter of the pane in front.
Plot radial_plot(const SpectrumReport& report, int front, double reach);

// The spectra that the dock shows: pixels are rendered between frames, and transformed in a thread of their own.

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
    // The picture of a pane that is to be transformed; none for a reason.
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
