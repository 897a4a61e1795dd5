#pragma once
// The digital filter that turns samples into spline coefficients, as numbers.
//
// For one pole z the exact inverse is b(k) = gain · z^|k| with gain = (1 − z) / (1 + z); for the cubic B-spline
// z = √3 − 2 and b(k) = √3 · z^|k| (Champagnat & Le Sant 2011, eq. 6).

#include <array>
#include <span>

#include "gpu/core/address.h"
#include "gpu/method/paths.h"

namespace texelscope {

// Coefficients kept beyond each edge where the address mode does not repeat the signal: |z|^14 < 1e-8.
inline constexpr int coefficient_margin = 14;

constexpr int margin_for(AddressMode mode) { return is_periodic(mode) ? 0 : coefficient_margin; }

// Beyond the margin the edge is extended; repeating modes repeat, since the coefficients inherit the symmetry.
constexpr AddressMode coefficient_address(AddressMode mode) {
    return is_periodic(mode) ? mode : AddressMode::clamp;
}

// Samples after which a recursion has forgotten where it began: |z|^horizon < 2⁻⁵³ in double, 2⁻²⁶ in float.
inline constexpr int horizon_double = 28, horizon_float = 14;

struct PrefilterKernel {
    bool recursive = true;
    double pole = 0;
    double gain = 0;                  // of the recursion
    int half_taps = 0;                // K of a FIR with 2K+1 taps
    std::array<double, 16> taps = {};  // b(0) … b(K), normalised so that all 2K+1 sum to 1
};

// Throws Error for a kind `none`, which has nothing to filter, and for more than one pole.
PrefilterKernel prefilter_kernel(const Prefilter& prefilter, std::span<const double> poles);

}  // namespace texelscope
