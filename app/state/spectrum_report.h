#pragma once
// Spectra of the picture and of the panes in view. Plain data for panels.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/state/inspect_report.h"
#include "app/state/panel_state.h"
#include "gpu/core/view.h"

namespace texelscope {

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
