#pragma once
// The curves of a method: in theory, as implemented, and of its fetches.

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {

// The curves that describe a method, in float64: weight function, cardinal function, and their Fourier transforms.
// Distances in samples, frequencies in cycles per sample.
class MethodCurves {
public:
    // With the parameters and the prefilter of the spec.
    explicit MethodCurves(const MethodSpec& spec);

    // With default parameters and the exact prefilter.
    explicit MethodCurves(const MethodInfo& method);

    double weight(double x) const;

    // The contribution of one sample after the prefilter, Σ b(k) φ(x − k), where b is its impulse response; without
    // a prefilter, the weight function itself. With an exact prefilter, the cardinal function.
    double cardinal(double x) const;

    // ∫ φ(x) cos(2πfx) dx, by Gauss–Legendre quadrature; the weight functions are even. Of a polar method the transform in
    // the plane, which is the same along every direction: ∫ φ(r) J₀(2πfr) 2πr dr.
    double spectrum(double frequency) const;

    // The spectrum of the cardinal function: the spectrum times the prefilter's gain.
    double cardinal_spectrum(double frequency) const;

    // The gain of the prefilter alone, Σ b(k) cos(2πfk); 1 without one.
    double prefilter_gain(double frequency) const;

    // What a wave is multiplied with at the fraction t of the way from one sample to the next, Σ c(t − k) exp(−2πi f (t − k))
    // with the cardinal function c.
    std::complex<double> response(double frequency, double t) const;

    // The largest error on a wave of amplitude 1, at any fraction.
    double largest_error(double frequency) const;

    bool filters() const { return filters_; }  // there is a prefilter, and it has an effect

    // Beyond this distance the weight function is zero.
    double radius() const { return radius_of(method_); }

private:
    double filter_response(int k) const;

    const MethodInfo& method_;
    MethodParameters parameters_;
    bool filters_;
    PrefilterKernel kernel_ = {};  // if there is one
};

double decibels(double gain);  // 20·log₁₀|gain|; −∞ for zero

// How well a method, with its exact prefilter, passes the signal and stops its copies.
struct SpectrumFigures {
    double passband;  // dB at 1/4 cycle per sample, where the ideal low-pass has 0
    double nyquist;   // dB at 1/2
    double images;    // the largest dB from 3/4 to 4: copies of frequencies up to 1/4, where the ideal one has nothing
};
SpectrumFigures spectrum_figures(const MethodInfo& method);

// The curves of a method, both in theory and as implemented.

// The range drawn of each curve: samples on either side of zero, or cycles per sample from zero.
inline constexpr double weight_reach = 4, step_reach = 6, highest_frequency = 2;

// Within `from` … `to`, `points` of them evenly spaced; a jump (nearest) is two points at one x.
CurvesReport::Curve weight_curve(const MethodSpec& spec, double from, double to, int points);

// Gain in dB of the weight function with the prefilter of the spec.
CurvesReport::Curve spectrum_curve(const MethodSpec& spec, double from, double to, int points);

// Gain in dB of the prefilter alone; empty if there is none.
CurvesReport::Curve prefilter_curve(const MethodSpec& spec, double from, double to, int points);

// Largest errors on waves, on logarithmic axes: the curve falls by the factor 2^order for twice the samples. Empty for methods
// whose weights are not those of an axis.
inline constexpr double least_period = 2, largest_period = 64;  // samples
CurvesReport::Curve order_curve(const MethodSpec& spec, int points);

// Responses to one sample and to a step, from the backend with the spec's path and prefilter: the picture varies only
// along x and is read along the middle row. Far from the edges, so that the address mode has no effect.
class MeasuredCurves {
public:
    explicit MeasuredCurves(const std::shared_ptr<Backend>& backend);

    // At distances from the sample that is 1, and from the first sample after the step. Throw OutOfMemory or Error.
    CurvesReport::Curve impulse(const MethodSpec& spec, double from, double to, int points);
    CurvesReport::Curve step(const MethodSpec& spec, double from, double to, int points);

private:
    SourceImage impulse_, step_;
};

// g(t) and h(t): how the `hardware` path merges a method's taps into linear-filtered fetches (Sigg & Hadwiger 2005).

// The fetches along one axis from left to right, in float64 with exact fractions, at `points` fractions t evenly spaced
// over the part of `from` … `to` in [0, 1]. A fetch of two taps of weights a, b has g = a + b and h = first + b / g;
// NaN where g is 0. Empty if the method's fetch is point-filtered.
std::vector<CurvesReport::Fetch> fetch_curves(const MethodSpec& spec, double from, double to, int points);

// Facts about a method that follow from its weights.

// "6 taps along each axis", or how many a polar method has on average.
std::string taps_words(const MethodInfo& method);

// Whether the method passes through the samples with these parameters: the tap at a sample weighs 1, all others 0.
// For methods with a prefilter: whether it does so with the prefilter.
bool interpolates(const MethodSpec& spec);

// The position at which a linear-filtered fetch would have to read between two taps of a four-tap method, as a fraction
// of their distance: w1 / (w0 + w1) and w3 / (w2 + w3). The texture unit can do it only within [0, 1].
struct FetchFraction {
    double minimum, maximum;
    bool possible() const { return minimum >= 0 && maximum <= 1; }
};
struct FetchFractions {
    FetchFraction h0, h1;
};

// Over t in [0, 1), by the float64 weight function. Empty for methods without four taps.
std::optional<FetchFractions> fetch_fractions(const MethodSpec& spec);

// What is derived from a custom method's formula, in words.
struct CustomFact {
    std::string label, text;
};

// With the spec's parameters; the method is custom. Throws Error if its formula has no weights with these.
std::vector<CustomFact> custom_facts(const MethodSpec& spec);

// A sentence if the weights of a custom method do not make a constant of a constant, with its prefilter if there is one;
// else empty. Throws like custom_facts().
std::string unequal_sum(const MethodSpec& spec);

// The built-in method that has, with standard parameters, the same weights to 1e-6; null if there is none.
const MethodInfo* equal_method(const MethodSpec& spec);

}  // namespace texelscope
