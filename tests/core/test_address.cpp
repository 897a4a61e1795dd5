// Address modes, against definitions slow enough to be obviously right.

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gpu/core/address.h"

namespace texelscope::test {
namespace {

// Sample numbers of the row of n extended to [−reach, n + reach), built by laying copies side by side.
std::vector<int> extended_row(AddressMode mode, int n, int reach) {
    std::vector<int> row(n);
    for (int i = 0; i < n; ++i) row[i] = i;
    std::vector<int> result(n + 2 * reach);
    for (int i = 0; i < int(result.size()); ++i) {
        int index = i - reach;
        if (mode == AddressMode::clamp) {
            while (index < 0) ++index;
            while (index >= n) --index;
        } else if (mode == AddressMode::border) {
            if (index < 0 || index >= n) index = -1;
        } else if (mode == AddressMode::wrap) {
            while (index < 0) index += n;
            while (index >= n) index -= n;
        } else if (mode == AddressMode::mirror) {
            while (index < 0 || index >= n) index = index < 0 ? -1 - index : 2 * n - 1 - index;  // reflect at the edge
        } else {
            while (n > 1 && (index < 0 || index >= n)) index = index < 0 ? -index : 2 * (n - 1) - index;
            if (n == 1) index = 0;
        }
        result[i] = index < 0 ? -1 : row[index];
    }
    return result;
}

TEST(Address, EveryModeExtendsARowAsItsDefinitionSays) {
    for (const AddressMode mode : all_address_modes)
        for (const int n : {1, 2, 3, 5, 8, 13}) {
            constexpr int reach = 60;
            const std::vector<int> expected = extended_row(mode, n, reach);
            for (int i = -reach; i < n + reach; ++i)
                ASSERT_EQ(addressed(mode, i, n), expected[i + reach]) << name_of(mode) << " i=" << i << " n=" << n;
        }
}

TEST(Address, MirrorRepeatsTheEdgeSampleAndWrapDoesNot) {
    const int n = 4;
    EXPECT_EQ(addressed(AddressMode::mirror, -1, n), 0);
    EXPECT_EQ(addressed(AddressMode::mirror, -2, n), 1);
    EXPECT_EQ(addressed(AddressMode::mirror, 4, n), 3);
    EXPECT_EQ(addressed(AddressMode::mirror, 8, n), 0);  // period 2n
    EXPECT_EQ(addressed(AddressMode::wrap, -1, n), 3);
    EXPECT_EQ(addressed(AddressMode::wrap, 4, n), 0);
}

// BORDER_REFLECT_101 in OpenCV's documentation: gfedcb|abcdefgh|gfedcba.
TEST(Address, Reflect101RepeatsNoEdgeSample) {
    const std::string_view expected = "gfedcbabcdefghgfedcba", row = "abcdefgh";
    for (int i = 0; i < int(expected.size()); ++i)
        EXPECT_EQ(row[size_t(addressed(AddressMode::reflect101, i - 6, 8))], expected[size_t(i)]) << i - 6;
    EXPECT_EQ(addressed(AddressMode::reflect101, 14, 8), 0);  // period 2n − 2
    EXPECT_EQ(period_of(AddressMode::reflect101, 8), 14);
    for (const int i : {-7, -1, 1, 2, 1000}) EXPECT_EQ(addressed(AddressMode::reflect101, i, 1), 0);
    for (const int i : {-7, -2, 2, 3, 1001}) EXPECT_EQ(addressed(AddressMode::reflect101, i, 2), std::abs(i) % 2);
}

// Indices as far as int goes, and rows as long as images can be: no overflow.
TEST(Address, IndicesAtTheEndsOfIntAreRight) {
    for (const int n : {1, 2, 3, 1000, 131072, INT_MAX - 1, INT_MAX})
        for (const int i : {INT_MIN, INT_MIN + 1, -1'000'000'007, 1'000'000'007, INT_MAX - 1, INT_MAX}) {
            const long long long_i = i, period = 2LL * n;
            const long long wrapped = ((long_i % n) + n) % n, in_period = ((long_i % period) + period) % period;
            EXPECT_EQ(addressed(AddressMode::clamp, i, n), i < 0 ? 0 : i >= n ? n - 1 : i);
            EXPECT_EQ(addressed(AddressMode::border, i, n), i < 0 || i >= n ? -1 : i);
            EXPECT_EQ(addressed(AddressMode::wrap, i, n), wrapped);
            EXPECT_EQ(addressed(AddressMode::mirror, i, n), in_period < n ? in_period : period - 1 - in_period);
            const long long whole = n > 1 ? period - 2 : 1, in_whole = ((long_i % whole) + whole) % whole;
            EXPECT_EQ(addressed(AddressMode::reflect101, i, n), in_whole < n ? in_whole : whole - in_whole);
        }
}

TEST(Address, EveryModeLeavesStoredSamplesAlone) {
    for (const AddressMode mode : all_address_modes)
        for (int i = 0; i < 100; ++i) EXPECT_EQ(addressed(mode, i, 100), i);
}

}  // namespace
}  // namespace texelscope::test
