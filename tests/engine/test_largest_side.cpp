// The longest sides that images may have: indices and positions fit the kernels' integers.

#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <cmath>
#include <vector>

#include "gpu/backend/arguments.h"
#include "gpu/method/method_check.h"
#include "gpu/method/position.h"
#include "gpu/method/widened.h"
#include "gpu/prefilter/filter.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// The sample for an index, in integers that hold them all.
long long addressed_widely(AddressMode mode, long long i, long long n) {
    if (i >= 0 && i < n) return i;
    if (mode == AddressMode::border) return -1;
    if (mode == AddressMode::clamp) return i < 0 ? 0 : n - 1;
    if (mode == AddressMode::reflect101) {
        const long long period = 2 * n - 2, at = ((i % period) + period) % period;
        return at < n ? at : period - at;
    }
    const long long period = mode == AddressMode::wrap ? n : 2 * n, at = ((i % period) + period) % period;
    return at < n ? at : period - 1 - at;
}

// Positions anywhere, reduced as in the kernels, find their taps through 32-bit integers.
TEST(LargestSide, TapsAreFoundAtAnyPositionOfTheLongestSides) {
    Random random(1);
    for (const AddressMode mode : all_address_modes)
        for (const int n : {max_side, max_side - 1, max_side / 2 + 1, 1 << 20, 3}) {
            std::vector<double> positions;
            for (const double multiple : {-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0})
                for (const double by : {-9.5, -1.0, -0.25, 0.0, 0.5, 7.75}) positions.push_back(multiple * n + by);
            for (int k = 0; k < 200; ++k) {
                positions.push_back(random.between(-4.0, 4.0) * n);
                positions.push_back(random.between(-1e15, 1e15));
            }
            for (const double x : positions) {
                const double reduced = reduced_position(x, mode, n, 0);
                ASSERT_LT(std::abs(reduced) + max_widened_taps, double(INT_MAX)) << x << " of " << n;
                const int first = locate<8>(reduced).first;
                const auto widely = (long long)(std::floor(x)) - 3;
                for (int k = 0; k < 8; ++k)
                    ASSERT_EQ(addressed(mode, first + k, n), addressed_widely(mode, widely + k, n))
                        << name_of(mode) << " at " << x << " of " << n;
            }
        }
}

TEST(LargestSide, TheNumbersOfARowFitAnInt) {
    const int margin = coefficient_margin(std::array{largest_pole});
    EXPECT_LE((max_side + 2LL * margin) * 4, INT_MAX);
}

}  // namespace
}  // namespace texelscope::test
