// What a block of the kernel for turned views computes fits every common card, and its texels cover all taps.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "gpu/method/turned_shape.h"
#include "tests/method/turned_jobs.h"

namespace texelscope::test {
namespace {

// Samples from the first to the last pixel of a rectangle, along x.
double span(const Affine& p, int columns, int rows) {
    return std::abs(p.xx) * (columns - 1) + std::abs(p.xy) * (rows - 1);
}

TEST(TurnedShape, ItsTexelsCoverAllTapsOnEveryCard) {
    int shapes = 0;
    for (const KnownCard& card : known_cards())
        for (const int taps : {2, 3, 4, 6, 8})
            for (const int channels : {1, 2, 4})
                for (double scale = 1.1; scale < 8; scale += 0.61)
                    for (double degrees = 1; degrees < 360; degrees += 17) {
                        const TabulatedJob job = turned_job(SampleType::u8, taps, scale, degrees, channels);
                        const auto shape = turned_shape(job, card.limits);
                        if (!shape) continue;
                        ++shapes;
                        const Affine& p = job.job.positions;
                        EXPECT_LT(shape->bytes(channels), card.limits.shared_bytes_per_block);
                        EXPECT_EQ(shape->group_columns * shape->group_rows, turned_group);
                        const double group = span(p, shape->group_columns, shape->group_rows);
                        EXPECT_GE(shape->steps_x * turned_step, group + taps * scale + 1 + 1) << "the first is even";
                        const double block =
                            span(p, shape->warps_across * turned_columns, shape->warps_down * turned_rows);
                        EXPECT_GE(shape->columns, block - group + 1 + shape->steps_x * turned_step +
                                                      turned_bytes(channels) / channels - 1);
                        EXPECT_EQ(shape->columns / 8 % 2, 1) << "rows are in different banks";
                        EXPECT_EQ(weight_table_floats(shape->table_rows) % 4, 0) << "texels after it are aligned";
                        EXPECT_EQ(shape->table_rows * weight_table_row, taps * table_nodes / 2);
                    }
    EXPECT_GT(shapes, 1000);
}

// A warp reads them at once: of a pixel's columns every other one, of its rows each.
TEST(TurnedShape, WeightsOfAPixelAreInDifferentBanks) {
    constexpr unsigned banks = 32;
    for (const unsigned scale : {2, 4, 8})
        for (const auto& [texels, apart] : {std::pair{4u, 2u}, {8u, 1u}})
            for (unsigned first = 0; first < table_nodes; first += 7) {
                std::set<unsigned> used;
                for (unsigned k = 0; k < texels; ++k)
                    used.insert(weight_table_place(first + k * apart * table_nodes / scale) % banks);
                EXPECT_EQ(used.size(), texels) << "scale " << scale << ", from node " << first;
            }
}

TEST(TurnedShape, PhotographsOnEveryCardWithTensorCoresHaveOne) {
    for (const KnownCard& card : known_cards())
        EXPECT_EQ(turned_shape(turned_job(SampleType::u8, 6, 4, 10), card.limits).has_value(),
                  card.limits.compute_capability >= 80)
            << card.name;
}

TEST(TurnedShape, OtherViewsAreNotForIt) {
    const DeviceLimits card = *limits_of_card(90);
    ASSERT_TRUE(turned_shape(turned_job(SampleType::u8, 4, 3, 10), card));
    EXPECT_FALSE(turned_shape(turned_job(SampleType::u8, 4, 3, 10), *limits_of_card(75))) << "no such products";
    EXPECT_FALSE(turned_shape(turned_job(SampleType::u8, 2, 1.01, 10), card)) << "few taps";
    TabulatedJob job = turned_job(SampleType::u8, 4, 3, 10);
    job.job.source.type = SampleType::u16;
    EXPECT_FALSE(turned_shape(job, card)) << "samples that are not exact as halves";
    job = turned_job(SampleType::u8, 4, 3, 10);
    job.job.positions.x0 = 1e9;
    EXPECT_FALSE(turned_shape(job, card));
    job.job.positions.x0 = NAN;
    EXPECT_FALSE(turned_shape(job, card));
    job = turned_job(SampleType::u8, 4, 3, 10);
    job.job.simple = true;
    EXPECT_FALSE(turned_shape(job, card));
    job = turned_job(SampleType::u8, 4, 3, 10);
    job.local_stretch = true;
    EXPECT_FALSE(turned_shape(job, card));
}

}  // namespace
}  // namespace texelscope::test
