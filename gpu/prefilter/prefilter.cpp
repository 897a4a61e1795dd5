#include "gpu/prefilter/prefilter.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/errors.h"
#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

static_assert(std::tuple_size_v<decltype(PrefilterKernel::taps)> > Prefilter::max_taps / 2);

// Smallest k with |z|^k < threshold for every pole.
int steps_below(double threshold, std::span<const double> poles) {
    double largest = 0;
    for (const double z : poles) largest = std::max(largest, std::abs(z));
    return int(std::ceil(std::log(threshold) / std::log(largest)));
}

// gain_i ∝ 1 / ((z_i − 1/z_i) · Π_{j≠i} (z_i + 1/z_i − z_j − 1/z_j)), all together such that b sums to 1.
void set_gains(PrefilterKernel& kernel) {
    double sum = 0;
    for (int i = 0; i < kernel.poles; ++i) {
        const double z = kernel.pole[size_t(i)];
        double gain = 1 / (z - 1 / z);
        for (int j = 0; j < kernel.poles; ++j)
            if (const double other = kernel.pole[size_t(j)]; j != i) gain /= z + 1 / z - other - 1 / other;
        kernel.gain[size_t(i)] = gain;
        sum += gain * (1 + z) / (1 - z);
    }
    for (double& gain : kernel.gain) gain /= sum;
}

}  // namespace

int coefficient_margin(std::span<const double> poles) { return (steps_below(1e-8, poles) + 3) / 4 * 4; }

PrefilterKernel prefilter_kernel(const Prefilter& prefilter, std::span<const double> poles) {
    if (prefilter.kind == Prefilter::Kind::none)
        throw Error("no prefilter was requested, so there are no coefficients");
    if (poles.empty()) throw Error("a method without poles takes samples: it has no prefilter");
    check_poles(poles);
    check_prefilter(prefilter);
    PrefilterKernel kernel;
    kernel.recursive = prefilter.kind == Prefilter::Kind::iir;
    kernel.poles = int(poles.size());
    std::copy(poles.begin(), poles.end(), kernel.pole.begin());
    set_gains(kernel);
    kernel.horizon_double = steps_below(0x1p-53, poles);
    kernel.horizon_float = steps_below(0x1p-26, poles);
    kernel.half_taps = ((kernel.recursive ? Prefilter::default_taps : prefilter.taps) - 1) / 2;
    double sum = 0;
    for (int k = 0; k <= kernel.half_taps; ++k) {
        for (int i = 0; i < kernel.poles; ++i)
            kernel.taps[size_t(k)] += kernel.gain[size_t(i)] * std::pow(kernel.pole[size_t(i)], k);
        sum += (k == 0 ? 1 : 2) * kernel.taps[size_t(k)];
    }
    for (double& tap : kernel.taps) tap /= sum;
    return kernel;
}

int coefficient_margin(const InverseFilter& inverse) {
    if (!inverse.poles.empty()) return coefficient_margin(inverse.poles);
    const int taps = std::min(int(inverse.taps.size()) - 1, most_inverse_taps);
    return inverse.taps.empty() ? 0 : (taps + 3) / 4 * 4;
}

PrefilterKernel prefilter_kernel(const Prefilter& prefilter, const InverseFilter& inverse) {
    if (inverse.taps.empty()) return prefilter_kernel(prefilter, inverse.poles);
    if (prefilter.kind == Prefilter::Kind::none)
        throw Error("no prefilter was requested, so there are no coefficients");
    check_prefilter(prefilter);
    PrefilterKernel kernel;
    kernel.recursive = false;
    kernel.poles = 0;
    const int most = prefilter.kind == Prefilter::Kind::fir ? (prefilter.taps - 1) / 2 : most_inverse_taps;
    kernel.half_taps = std::min(most, int(inverse.taps.size()) - 1);
    double kept = 0, all = 0;
    for (int k = 0; k < int(inverse.taps.size()); ++k) {
        const double both = (k == 0 ? 1 : 2) * inverse.taps[size_t(k)];
        all += both;
        if (k <= kernel.half_taps) kept += both;
    }
    for (int k = 0; k <= kernel.half_taps; ++k)
        kernel.taps[size_t(k)] = inverse.taps[size_t(k)] * (kept != 0 ? all / kept : 1);
    return kernel;
}

}  // namespace texelscope
