// The texels that a warp of the kernel for turned views of any samples covers hold all taps of a group, on every common card.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/method/turned_any_shape.h"
#include "tests/method/turned_jobs.h"

namespace texelscope::test {
namespace {

// The samples at which the weight function is not beyond its radius, of all pixels of a group that begins at any pixel.
TEST(TurnedAnyShape, ItsTexelsHoldAllTapsOfAGroupOnEveryCard) {
    int shapes = 0;
    for (const KnownCard& card : known_cards())
        for (const int taps : {2, 3, 4, 6, 8})
            for (double scale = 1.1; scale < 8; scale += 0.61)
                for (double degrees = 1; degrees < 360; degrees += 17) {
                    const TabulatedJob job = turned_job(SampleType::f32, taps, scale, degrees);
                    const auto shape = turned_any_shape(job, card.limits);
                    if (!shape) continue;
                    ++shapes;
                    EXPECT_LE(shape->bytes(), card.limits.shared_bytes_per_block);
                    EXPECT_EQ(shape->group_columns * shape->group_rows, turned_group);
                    EXPECT_EQ(turned_columns % shape->group_columns + turned_rows % shape->group_rows, 0);
                    const Affine& p = job.job.positions;
                    double least_x = INFINITY, largest_x = -INFINITY, least_y = INFINITY, largest_y = -INFINITY;
                    for (int j = 0; j < shape->group_rows; ++j)
                        for (int i = 0; i < shape->group_columns; ++i) {
                            const Point at = apply(p, i, j);
                            least_x = std::min(least_x, at.x);
                            largest_x = std::max(largest_x, at.x);
                            least_y = std::min(least_y, at.y);
                            largest_y = std::max(largest_y, at.y);
                        }
                    // Of whole numbers in an interval there are at most its length, rounded down, and one.
                    EXPECT_GE(shape->columns, std::floor(largest_x - least_x + taps * scale) + 1);
                    EXPECT_GE(shape->rows, std::floor(largest_y - least_y + taps * scale) + 1);
                    EXPECT_EQ(shape->columns % turned_any_lanes, 0);
                }
    EXPECT_GT(shapes, 3000);
}

TEST(TurnedAnyShape, FewTapsAreLeftToAThreadPerPixel) {
    const DeviceLimits limits = *limits_of_card(90);
    EXPECT_FALSE(turned_any_shape(turned_job(SampleType::f32, 4, 2, 10), limits));
    EXPECT_TRUE(turned_any_shape(turned_job(SampleType::f32, 4, 3, 10), limits));
    TabulatedJob job = turned_job(SampleType::f32, 4, 4, 10);
    job.job.simple = true;
    EXPECT_FALSE(turned_any_shape(job, limits));
}

}  // namespace
}  // namespace texelscope::test
