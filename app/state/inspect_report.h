#pragma once
// What inspecting finds: the taps of a pixel, a profile, the curves of the methods, a histogram. Plain data for panels.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/view.h"
#include "gpu/method/paths.h"

namespace texelscope {

// One texel that contributes to a pixel. Values are as they are interpolated: premultiplied, in the light of the scene.
struct Tap {
    int x = 0, y = 0;  // index in the image that is read; may lie beyond its edges
    double weight = 0;
    std::array<float, 4> texel{};  // sample or coefficient

    // A texel of weight zero is not read: a NaN there adds nothing.
    double contribution(int channel) const { return weight == 0 ? 0 : weight * double(texel[size_t(channel)]); }
};

// One linear-filtered fetch of the path `hardware` and the 2×2 texels (2 of a signal) that it blends.
struct TapFetch {
    Point at;                            // sample space, as the float32 coordinate has it
    int column = 0, row = 0;             // upper left texel of the four
    int fraction_x = 0, fraction_y = 0;  // of the second column and row, in 1/256, as the texture unit rounds them
    double weight = 0;                   // of what it returns
    std::array<float, 4> value{};        // what it returns, but for the rounding to the precision of the texels' format
};

struct TapReport {
    int pane = 0;
    int i = 0, j = 0;              // the output pixel
    Point position;                // sample space, of the level that is read
    bool outside = false;          // the pixel shows the background, or lies nowhere: no taps
    int level_x = 0, level_y = 0;  // how often the image that is read was halved
    int width = 1, height = 1;     // of that image, samples
    FetchPath path = FetchPath::global;
    bool coefficients = false;  // the texels are coefficients, not samples
    bool widened = false;       // antialiased: weights from a table
    bool linear_light = false;  // texels and sum are linear light; the result is sRGB-coded
    bool has_alpha = false;     // the last channel; all values are premultiplied
    int channels = 1;
    std::vector<Tap> taps;          // weights as the path has them; row by row
    std::vector<TapFetch> fetches;  // path hardware, where nothing is widened and the unit filters
    std::array<double, 4> sum{};    // Σ weight · texel
    std::array<float, 4> result{};  // the sum as it leaves: coded where the light is linear
    std::array<float, 4> shown{};   // the pixel as it was computed
};

// Values along a line.
struct ProfileReport {
    struct Curve {
        int pane = 0;
        std::vector<std::array<float, 4>> values;  // one for each of `at`; straight alpha, NaN where it is 0
    };
    struct Stored {
        double at = 0;  // along the line
        std::array<float, 4> value{};
    };
    std::string axis;      // "x (samples), row 128"
    std::string position;  // what `at` is, in a word for a column of a table: "x"
    bool has_y = true;     // false: a signal
    int channels = 0;      // 0: no profile
    bool has_alpha = false;
    Point a, b;        // ends of the whole line in the sample space of the current image
    double first = 0;  // what `at` is at a: its x of a row, its y of a column, 0 of a line; one a sample from there
    double from = 0, to = 0;     // the part that was computed, in the terms of `at`
    std::vector<double> at;      // along the line; of all curves
    std::vector<Stored> stored;  // samples that lie on the line, of the current image; every one is among `at`
    std::vector<Curve> curves;   // one a pane

    double end() const;            // what `at` is at b
    Point point(double at) const;  // in sample space
};

// Curves of the methods in view, in float64 and as measured on the backend. Distances in samples, frequencies in cycles
// a sample.
struct CurvesReport {
    struct Curve {
        std::vector<double> x, y;
    };
    // A linear-filtered fetch of the path `hardware` along one axis, over the fraction t of the position x.
    struct Fetch {
        int first = 0, taps = 1;  // what it reads, from floor(x) on: two neighbours, or one tap alone
        Curve weight = {};        // g(t), what it is multiplied by: the sum of its taps' weights
        Curve place = {};         // h(t), where it is, samples from floor(x)
    };
    struct Method {
        int pane = 0;
        Curve weight;           // weight function
        Curve spectrum;         // dB, of the weight function with its prefilter
        Curve step;             // what the implementation makes of a step from 0 to 1 between samples −1 and 0
        Curve impulse;          // what the implementation makes of a single sample: the kernel as measured
        bool hardware = false;  // the pane's path
        std::vector<Fetch> fetches = {};  // of that path; none where it is point-filtered (nearest)
    };
    std::vector<Method> methods;
};

// How often values occur in a pane's picture.
struct HistogramReport {
    int pane = 0, channels = 0;  // 0: none
    double low = 0, high = 1;    // of the bins
    std::array<std::vector<int64_t>, 4> bins;
    int64_t pixels = 0;                      // counted: those on the image
    int64_t not_a_number = 0, infinite = 0;  // values among them that are in no bin
    double least = 0, most = 0;              // of the finite values
    bool outdated = false;                   // the picture has changed since
};

}  // namespace texelscope
