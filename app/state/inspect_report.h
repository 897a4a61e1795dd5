#pragma once
// Results of inspecting: the taps of a pixel, a profile, the curves of the methods, a histogram, spectra. Plain data
// for panels.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/panel_state.h"
#include "gpu/core/view.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Results of inspecting: the taps of a pixel, a profile, the curves of the methods, a histogram. Plain data for panels.

// One texel that contributes to a pixel. Values are as interpolated: premultiplied, in the light of the scene.
struct Tap {
    int x = 0, y = 0;  // index in the image that is read; may be beyond its edges
    double weight = 0;
    std::array<float, 4> texel{};  // sample or coefficient

    // A texel of weight zero is not read: a NaN there adds nothing.
    double contribution(int channel) const { return weight == 0 ? 0 : weight * double(texel[size_t(channel)]); }
};

// One linear-filtered fetch of the `hardware` path and the 2×2 texels (2 for a signal) that it blends.
struct TapFetch {
    Point at;                            // sample space, as given by the float32 coordinate
    int column = 0, row = 0;             // upper left texel of the four
    int fraction_x = 0, fraction_y = 0;  // of the second column and row, in 1/256, as the texture unit rounds them
    double weight = 0;                   // of the returned value
    std::array<float, 4> value{};        // the returned value, before rounding to the precision of the texels' format
};

struct TapReport {
    int pane = 0;
    int i = 0, j = 0;              // the output pixel
    Point position;                // sample space, of the level that is read
    bool outside = false;          // the pixel shows the background, or has no position: no taps
    int level_x = 0, level_y = 0;  // how often the image that is read was halved
    int width = 1, height = 1;     // of that image, samples
    FetchPath path = FetchPath::global;
    bool coefficients = false;  // the texels are coefficients, not samples
    bool widened = false;       // antialiased: weights from a table
    bool linear_light = false;  // texels and sum are linear light; the result is sRGB-coded
    bool has_alpha = false;     // the last channel; all values are premultiplied
    int channels = 1;
    std::vector<Tap> taps;          // weights as the path computes them; row by row
    std::vector<TapFetch> fetches;  // on the hardware path, if nothing is widened and the unit filters
    std::array<double, 4> sum{};    // Σ weight · texel
    std::array<float, 4> result{};  // the sum as output: sRGB-coded if the light is linear
    std::array<float, 4> shown{};   // the pixel as computed
};

// Values along a line.
struct ProfileReport {
    struct Curve {
        int pane = 0;
        std::vector<std::array<float, 4>> values;  // one for each of `at`; straight alpha
    };
    struct Stored {
        double at = 0;  // along the line
        std::array<float, 4> value{};
    };
    std::string axis;      // "x (samples), row 128"
    std::string position;  // name of `at` for a column of a table: "x"
    bool has_y = true;     // false: a signal
    int channels = 0;      // 0: no profile
    bool has_alpha = false;
    Point a, b;        // ends of the whole line in the sample space of the current image
    double first = 0;  // value of `at` at a: x for a row, y for a column, 0 for a line; increases by one per sample
    double from = 0, to = 0;     // the part that was computed, in units of `at`
    std::vector<double> at;      // along the line; of all curves
    std::vector<Stored> stored;  // samples of the current image on the line; each is among `at`
    std::vector<Curve> curves;   // one per pane

    double end() const;            // value of `at` at b
    Point point(double at) const;  // in sample space
};

// Curves of the methods in view, in float64 and as measured on the backend. Distances in samples, frequencies in cycles
// per sample.
struct CurvesReport {
    struct Curve {
        std::vector<double> x, y;
    };
    // A linear-filtered fetch of the `hardware` path along one axis, over the fraction t of the position x.
    struct Fetch {
        int first = 0, taps = 1;  // the taps it reads, from floor(x) on: two neighbours, or a single tap
        Curve weight = {};        // g(t), its factor: the sum of its taps' weights
        Curve place = {};         // h(t), its position, samples from floor(x)
    };
    struct Method {
        int pane = 0;
        Curve weight;           // weight function
        Curve spectrum;         // dB, of the weight function with its prefilter
        Curve step;             // response of the implementation to a step from 0 to 1 between samples −1 and 0
        Curve impulse;          // response of the implementation to a single sample: the weight function as measured
        bool hardware = false;  // the pane's path
        std::vector<Fetch> fetches = {};  // of that path; none if it is point-filtered (nearest)
        Curve order = {};                 // largest error on a wave of amplitude 1, by samples per period
    };
    std::vector<Method> methods;
};

// A line of samples: what a method makes of it, and of which parts. Along it in samples from the first one.
struct StageReport {
    // What one sample, or coefficient, adds: its value times the weight function about it.
    struct Part {
        int index = 0;  // beyond the line, as the address mode extends it
        double texel = 0;
        CurvesReport::Curve curve;
    };
    ProfileReport line;         // with a curve for each pane; no channels: there is no line
    double from = 0, rate = 1;  // sample k is at x = from + k / rate
    std::vector<double> truth;  // of the formula that was sampled, at line.at; empty: there is none
    int front = 0;              // the pane that the rest is of
    bool coefficients = false;  // its parts are of coefficients, not of samples
    std::vector<Part> parts;    // empty: too many, or the method has no weight function
    // Amplitudes of the samples at the frequencies k / n from 0 to 2 cycles per sample, with the copies beyond 1/2; the
    // method's gain there, with its prefilter; empty for a method without a weight function.
    CurvesReport::Curve amplitudes;
    std::vector<double> gains;
    CurvesReport::Curve response;  // the gain at all frequencies
};

// The histogram of a pane's picture.
struct HistogramReport {
    int pane = 0, channels = 0;  // 0: none
    double low = 0, high = 1;    // of the bins
    std::array<std::vector<int64_t>, 4> bins;
    int64_t pixels = 0;                      // counted: those on the image
    int64_t not_a_number = 0, infinite = 0;  // values among them outside all bins
    double least = 0, most = 0;              // of the finite values in the bins
    int64_t transparent = 0;                 // pixels of which only alpha counts
    int64_t beyond = 0;                      // finite colours outside all bins, of pixels with little alpha
    bool of_selection = false;
    bool outdated = false;  // the picture has changed since
};

// Samples x0 … x1 and y0 … y1, both included.
struct SampleBox {
    int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
    bool empty() const { return x1 < x0 || y1 < y0; }
    bool operator==(const SampleBox&) const = default;
};

inline constexpr std::array<int, 7> percentiles_shown = {1, 5, 25, 50, 75, 95, 99};

// One channel. Values as in Image::value: integers in [0, 1], floats as stored. NaN and infinities are counted, and
// left out of everything else; without a finite value, all values are 0.
struct ChannelStatistics {
    int64_t finite = 0, not_a_number = 0, infinite = 0;
    double mean = 0;
    double deviation = 0;  // standard deviation of the population: divided by n
    double least = 0, most = 0;
    std::array<double, percentiles_shown.size()> percentiles{};  // interpolated linearly between neighbours in rank
};

struct SampleStatistics {
    SampleBox box;
    int channels = 0;
    std::array<ChannelStatistics, 4> of{};
};

struct StatisticsReport {
    std::optional<SampleStatistics> done;  // the last; of the image and part asked for unless …
    bool working = false;                  // … others are being computed
};

// Spectra of the picture and of the panes in view. Plain data for panels.

// How much of each frequency values on a grid hold. Frequencies are in cycles per sample of the picture, along x to the
// right and along y downwards.
struct Spectrum {
    int width = 0, height = 0;  // values that were transformed
    double pitch = 1;           // samples from one value to the next: 1 for samples, 1 / zoom for output pixels

    // Row by row, from the lowest frequency along y and x on; frequency 0 is at (width / 2, height / 2). Without a window
    // their sum is the mean square of the values; with one, that of the windowed deviations, as if the window had let
    // the mean square pass, and the mean's.
    std::vector<float> power;

    // Mean power of the frequencies whose distance from 0 rounds to k · radial_step; NaN where there are none.
    std::vector<double> radial;
    double radial_step = 0;

    std::pair<int, int> strongest = {0, 0};  // column and row of the largest power, that of frequency 0 left out
    int64_t not_finite = 0;                  // values that were counted as 0

    double x(int column) const { return frequency(column, width); }
    double y(int row) const { return frequency(row, height); }
    double nyquist() const { return 0.5 / pitch; }
    double at(int column, int row) const { return double(power[size_t(row) * size_t(width) + size_t(column)]); }
    // 1 if there is nothing but a mean.
    double largest() const {
        const double most = at(strongest.first, strongest.second);
        return most > 0 ? most : 1;
    }

private:
    double frequency(int place, int length) const { return double(place - length / 2) / (double(length) * pitch); }
};

struct SpectrumReport {
    // How a method acts on frequencies along an axis, in dB.
    struct Response {
        CurvesReport::Curve method;     // with its prefilter; empty if it has no weight function, or is widened
        CurvesReport::Curve prefilter;  // alone; empty if there is none
    };
    struct Shown {
        static constexpr int samples = -1;
        int pane = samples;
        std::shared_ptr<const Spectrum> spectrum;  // null: none, since …
        std::string why_not = {};
        // The corners of the square of frequencies that samples can carry, as the pane sees it: rotated with the view.
        std::vector<Point> nyquist = {};
        std::shared_ptr<const Response> response = nullptr;
        bool widened = false;           // antialiased: the response is not that of the method
        InterfacePicture picture = {};  // as asked for by InspectUi and UiState
    };
    std::vector<Shown> of;  // of the samples, then of panes in view; empty: none yet
    SampleBox part;         // samples that were transformed
    Extent asked;           // samples in view, or selected
    bool of_selection = false;
    int channels = 1;
    bool has_alpha = false;
    bool windowed = true;
    bool warped = false;
    bool outdated = false;  // the view has changed since
};

}  // namespace texelscope
