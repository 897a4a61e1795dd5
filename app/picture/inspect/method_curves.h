#pragma once
// The curves that describe a method, in float64: weight function, cardinal function, and their Fourier transforms.
// Distances in samples, frequencies in cycles per sample.

#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

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

    // The same for the cardinal function: spectrum / Σ φ(k) cos(2πfk), since the exact prefilter divides by the latter;
    // for a truncated prefilter, multiplied by Σ b(k) cos(2πfk) instead.
    double cardinal_spectrum(double frequency) const;

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

}  // namespace texelscope
