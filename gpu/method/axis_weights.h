#pragma once
// A method's weights as polynomials: used by the CPU's vector code and by the kernels that methods share on the GPU.

// No includes: this is compiled for several sets of instructions (simd/kernels.h).

namespace texelscope {

struct MethodInfo;
struct MethodParameters;

// Weights along an axis as functions of the fraction t in [0, 1]: with s = min(t, 1 − t), tap k has Σ c[k][n]·sⁿ, or,
// if t > ½, that of its mirror image. One tap: 1.
struct AxisWeights {
    static constexpr int max_taps = 8, max_degree = 15;
    int taps = 0;  // 1, 2, 4, 6 or 8; 0: no weights of this form
    int degree = 0;
    float c[max_taps][max_degree + 1] = {};
};

// Fitted to the method's float64 weight function over half a sample, where every function here is analytic: exact for
// the piecewise polynomials, else to 5e-8 or as closely as float32 coefficients can; with these to 2.5e-7, which is checked.
// Weights at the samples themselves are exact. `taps` is 0 if that is not reached, or the function is not symmetric.
AxisWeights axis_weights(const MethodInfo& method, const MethodParameters& parameters);

}  // namespace texelscope
