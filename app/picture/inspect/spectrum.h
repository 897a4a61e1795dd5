#pragma once
// The spectrum of values on a grid: of a picture's samples, or of the pixels that a method makes of them.

#include <span>
#include <vector>

#include "app/drawing/plot.h"
#include "app/state/inspect_report.h"
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

}  // namespace texelscope
