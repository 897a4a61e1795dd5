#include "tests/support/exact_tolerance.h"

#include <algorithm>
#include <cmath>

#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {

double exact_tolerance(const MethodSpec& spec) {
    constexpr double usual_gain = 56.3;
    double gain = 0;  // for the worst samples in [−1, 1] along one axis
    for (const double tap : reference::prefilter_response(spec.method->poles, spec.effective_prefilter()))
        gain += std::abs(tap);
    // A checkerboard needs more: all of its samples ask for the whole gain, and all coefficients are rounded alike.
    const double share = gain * gain / usual_gain;
    return tolerance::exact_path * (share > 1.1 ? 1.15 * share : std::max(1.0, share));
}

}  // namespace texelscope::test
