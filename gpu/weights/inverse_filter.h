#pragma once
// The prefilter that a weight function's own samples derive: 1 / P(z), P(z) = Σ w(k) z⁻ᵏ.

#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace texelscope {

// What a prefilter computes with: poles of recursions, or the taps b(0), b(1), … of an even filter, up to
// most_kept_taps. Neither: there is none, and the method takes samples.
struct InverseFilter {
    std::vector<double> poles;
    std::vector<double> taps;
    bool empty() const { return poles.empty() && taps.empty(); }
    bool operator==(const InverseFilter&) const = default;
};

struct DerivedPrefilter {
    InverseFilter filter;
    std::vector<std::complex<double>> poles;  // roots of P inside the unit circle, by magnitude, the largest first
    bool needed = true;                       // false: P = 1, the function interpolates by itself
    std::vector<double> response;             // b(−far) … b(far) of the exact inverse; empty: there is none
    double tail = 0;       // what the taps leave out, Σ|b| beyond the last over Σ|b|; 0 for recursions
    std::string sentence;  // how it is computed, or why there is none
};

// Taps on each side of a filter that is not recursive, in float32 and in the float64 reference; half of the response
// that is known; and what the taps may leave out.
inline constexpr int most_inverse_taps = 24, most_kept_taps = 63, far_response = 256;
inline constexpr double most_tail = 1e-6;

// For h sampled at −reach … reach. Real poles as poles.h has them become recursions.
DerivedPrefilter derive_prefilter(const std::function<double(double)>& h, int reach);

}  // namespace texelscope
