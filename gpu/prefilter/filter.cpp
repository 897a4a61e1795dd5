#include "gpu/prefilter/filter.h"

#include <cmath>

#include "gpu/core/errors.h"

namespace texelscope {

PrefilterKernel prefilter_kernel(const Prefilter& prefilter, std::span<const double> poles) {
    if (prefilter.kind == Prefilter::Kind::none) throw Error("no prefilter was asked for, so there are no coefficients");
    if (poles.size() != 1) throw Error("the prefilter takes exactly one pole");
    const double pole = poles.front();
    PrefilterKernel kernel;
    kernel.recursive = prefilter.kind == Prefilter::Kind::iir;
    kernel.pole = pole;
    kernel.gain = (1 - pole) / (1 + pole);
    kernel.half_taps = (prefilter.taps - 1) / 2;
    double sum = 0;
    for (int k = 0; k <= kernel.half_taps; ++k) {
        kernel.taps[size_t(k)] = kernel.gain * std::pow(pole, k);
        sum += (k == 0 ? 1 : 2) * kernel.taps[size_t(k)];
    }
    for (double& tap : kernel.taps) tap /= sum;
    return kernel;
}

}  // namespace texelscope
