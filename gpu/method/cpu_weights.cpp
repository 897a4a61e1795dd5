#include "gpu/method/cpu_weights.h"

#include <algorithm>
#include <cmath>

namespace texelscope {

int tabulated_weights(const simd::Kernels& kernels, const AxisFilter& filter, AddressMode mode, double x, int& first,
                      float (&w)[tabulated_capacity]) {
    if (filter.stretch > float(max_stretch) || filter.pieces.pieces) {
        float few[max_widened_taps];
        const int count = filter.pieces.pieces ? tabulated_weights<true>(filter, mode, x, first, few)
                                               : tabulated_weights<false>(filter, mode, x, first, few);
        std::copy_n(few, count, w);
        return count;
    }
    const float reach = filter.radius * filter.stretch;
    const int whole = int(floor_to_integer(x));
    const float t = float(x - whole);
    const int before = int(std::ceil(t - reach)), after = int(std::floor(t + reach));
    first = whole + before;
    const int count = std::min(after - before + 1, max_widened_taps);
    const float sum = kernels.table_weights(filter.table, table_nodes, filter.radius, filter.stretch, filter.derivative,
                                            t, before, count, w);
    if (!filter.derivative && sum != 0) {
        const float gain = 1 / sum;
        for (int k = 0; k < count; ++k) w[k] *= gain;
    }
    return count;
}

}  // namespace texelscope
