#pragma once
// The digital filter that turns samples into spline coefficients, as numbers.
//
// The exact inverse is a sum of one two-sided exponential for each pole: b(k) = Σ gain · z^|k|. With one pole
// gain = (1 − z) / (1 + z); for the cubic B-spline z = √3 − 2 and b(k) = √3 · z^|k| (Champagnat & Le Sant 2011, eq. 6).
// With more, the gains are the residues of the partial fractions (Unser, Aldroubi & Eden 1993, part II, eq. 2.5).

#include <array>
#include <span>

#include "gpu/core/address.h"
#include "gpu/method/poles.h"
#include "gpu/method/spec.h"
#include "gpu/weights/inverse_filter.h"

namespace texelscope {

// Coefficients kept beyond each edge if the address mode does not repeat the signal: |z|^margin < 1e-8, rounded up to a
// multiple of 4, so that vectors of texels stay aligned; 16 for the cubic B-spline.
int coefficient_margin(std::span<const double> poles);

// The margin of a filter that may have taps instead of poles: as many as those on one side.
int coefficient_margin(const InverseFilter& inverse);

template <class Filter> int margin_for(AddressMode mode, const Filter& filter) {
    return is_periodic(mode) ? 0 : coefficient_margin(filter);
}

// Beyond the margin the edge is extended; repeating modes repeat, since the coefficients inherit the symmetry.
constexpr AddressMode coefficient_address(AddressMode mode) { return is_periodic(mode) ? mode : AddressMode::clamp; }

struct PrefilterKernel {
    bool recursive = true;
    int poles = 1;                                        // 0: the filter is given by its taps
    std::array<double, most_poles> pole = {}, gain = {};  // for the recursions, whose results are added
    // Samples after which the recursions have forgotten their start: |z|^horizon < 2⁻⁵³ in double, 2⁻²⁶ in float.
    int horizon_double = 0, horizon_float = 0;
    int half_taps = 0;                                    // K of a FIR with 2K+1 taps
    std::array<double, most_inverse_taps + 1> taps = {};  // b(0) … b(K); all 2K+1 have the sum of the exact inverse
};

// Throws Error for a kind `none`, and for taps or poles that check_prefilter() and check_poles() refuse.
PrefilterKernel prefilter_kernel(const Prefilter& prefilter, std::span<const double> poles);

// The kernel of a filter that may have taps instead of poles, with the same errors: `iir` is then a convolution too,
// with up to most_inverse_taps on each side.
PrefilterKernel prefilter_kernel(const Prefilter& prefilter, const InverseFilter& inverse);

}  // namespace texelscope
