#pragma once
// The curves that describe a method, in float64, with its standard parameters: weight function, cardinal function, and
// their Fourier transforms. Distances in samples, frequencies in cycles per sample.

#include "gpu/method/method_info.h"

namespace texelscope {

class MethodCurves {
public:
    explicit MethodCurves(const MethodInfo& method);

    double weight(double x) const;

    // What one sample contributes after the exact prefilter, Σ b(k) φ(x − k); the weight function itself for methods
    // without poles.
    double cardinal(double x) const;

    // ∫ φ(x) cos(2πfx) dx, by Gauss–Legendre quadrature; the weight functions are even.
    double spectrum(double frequency) const;

    // The same of the cardinal function: spectrum / Σ φ(k) cos(2πfk), since the prefilter divides by the latter.
    double cardinal_spectrum(double frequency) const;

    // Beyond this distance the weight function is zero.
    double radius() const { return method_.taps / 2.0; }

private:
    const MethodInfo& method_;
    MethodParameters parameters_;
};

double decibels(double gain);  // 20·log₁₀|gain|; −∞ for zero

// How well a method passes what it should, and stops what it should not, with its exact prefilter.
struct SpectrumFigures {
    double passband;  // dB at 1/4 cycle per sample, where the ideal low-pass has 0
    double nyquist;   // dB at 1/2
    double images;    // the largest dB from 3/4 to 4: copies of frequencies up to 1/4, where the ideal one has nothing
};
SpectrumFigures spectrum_figures(const MethodInfo& method);

}  // namespace texelscope
