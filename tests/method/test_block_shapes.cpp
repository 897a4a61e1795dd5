// Shapes of blocks of the kernels that shrink and turn, and positions in fixed point.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "gpu/method/block_shapes.h"
#include "gpu/method/position.h"
#include "gpu/method/tabulated.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// Rotated views of a picture of 6000 × 4000 samples, shrunk by a filter of so many taps.

TabulatedJob rotated_job(SampleType type, int taps, double scale, double degrees, int channels = 4) {
    const double angle = degrees * std::numbers::pi / 180;
    TabulatedJob tabulated;
    ResampleJob& job = tabulated.job;
    job.source.type = type;
    job.source.width = 6000;
    job.source.height = 4000;
    job.source.channels = channels;
    job.output.width = 1280;
    job.output.height = 720;
    job.positions = {scale * std::cos(angle), -scale * std::sin(angle), 300.5,
                     scale * std::sin(angle), scale * std::cos(angle),  70.5};
    tabulated.x.radius = tabulated.y.radius = float(taps) / 2;
    tabulated.x.stretch = tabulated.y.stretch = float(scale);
    return tabulated;
}

// What a block of the shrinking kernel computes fits every common card, and all that it reads fits its threads.

TabulatedJob shrinking_job(int taps, double step_x, double step_y, int channels = 4) {
    TabulatedJob tabulated;
    ResampleJob& job = tabulated.job;
    job.source.width = 6000;
    job.source.height = 4000;
    job.source.channels = channels;
    job.output.width = 1280;
    job.output.height = 720;
    job.positions = {step_x, 0, 0.5, 0, step_y, 0.5};
    tabulated.x.radius = tabulated.y.radius = float(taps) / 2;
    tabulated.x.stretch = float(std::max(1.0, std::abs(step_x)));
    tabulated.y.stretch = float(std::max(1.0, std::abs(step_y)));
    return tabulated;
}

TEST(ShrinkShape, FitsEveryCardForEveryMethodAndScale) {
    for (const KnownCard& card : known_cards())
        for (const int taps : {2, 3, 4, 6, 8})
            for (const int channels : {1, 2, 4})
                for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
                    for (double step = 1.001; step < 8; step += 0.37) {
                        TabulatedJob job = shrinking_job(taps, step, step, channels);
                        job.job.source.type = type;
                        const auto shape = shrink_shape(job, card.limits);
                        ASSERT_TRUE(shape) << taps << " taps, step " << step << " on " << card.name;
                        EXPECT_LE(shape->bytes(channels, bytes_per_sample(type)), card.limits.shared_bytes_per_block);
                        // Columns from the first tap of the first pixel to the last tap of the last one, and those
                        // before them in the same thread's samples.
                        EXPECT_LE((shape->columns - 1) * step + taps * step + 1 + 4 / channels - 1,
                                  shrink_columns(channels));
                        EXPECT_GE(shape->texel_rows,
                                  (shape->rows - 1) * step + taps * step + 1 + shrink_ahead(bytes_per_sample(type)));
                        EXPECT_GE(shape->slots, taps + 1) << "rows that a row of texels belongs to";
                        EXPECT_GE(shape->phases * shape->group(channels), shrink_columns(channels));
                    }
}

TEST(ShrinkShape, SmallPicturesHaveLowBlocksSoThatEveryMultiprocessorWorks) {
    TabulatedJob job = shrinking_job(6, 4, 4);
    const DeviceLimits card = *limits_of_card(90);
    job.job.output.width = 3840;
    job.job.output.height = 2160;
    const int high = shrink_shape(job, card)->rows;
    job.job.output.width = 160;
    job.job.output.height = 90;
    const ShrinkShape small = *shrink_shape(job, card);
    EXPECT_LT(small.rows, high / 4);
    EXPECT_GE((160 + small.columns - 1) / small.columns * ((90 + small.rows - 1) / small.rows), 60) << "blocks";
}

// The images of a batch share the multiprocessors: each has the blocks of a large picture, which repeat less.
TEST(ShrinkShape, ABatchOfSmallPicturesHasHighBlocks) {
    TabulatedJob job = shrinking_job(4, 2, 2, 1);
    const DeviceLimits card = *limits_of_card(90);
    job.job.output.width = job.job.output.height = 112;
    const auto work = [&](const ShrinkShape& shape) {  // rows of texels, setting up included, of an image
        const int blocks = (112 + shape.columns - 1) / shape.columns * ((112 + shape.rows - 1) / shape.rows);
        return blocks * (shape.texel_rows + 24);
    };
    const ShrinkShape alone = *shrink_shape(job, card);
    job.job.source.images = 48;
    const ShrinkShape together = *shrink_shape(job, card);
    EXPECT_GT(together.rows, 2 * alone.rows);
    EXPECT_LT(work(together), work(alone) / 4);
}

TEST(ShrinkShape, OtherViewsAreNotForIt) {
    const DeviceLimits card = *limits_of_card(90);
    TabulatedJob rotated = shrinking_job(4, 3, 3);
    rotated.job.positions.xy = 0.1;
    EXPECT_FALSE(shrink_shape(rotated, card));
    EXPECT_FALSE(shrink_shape(shrinking_job(4, 3, -3), card)) << "turned over";
    EXPECT_FALSE(shrink_shape(shrinking_job(1, 3, 3), card)) << "a box";
    EXPECT_FALSE(shrink_shape(shrinking_job(4, 3, 0.5), card)) << "a row of texels in too many rows";
    TabulatedJob far = shrinking_job(4, 3, 3);
    far.job.positions.x0 = 1e9;
    EXPECT_FALSE(shrink_shape(far, card));
    far.job.positions.x0 = NAN;
    EXPECT_FALSE(shrink_shape(far, card));
    TabulatedJob simple = shrinking_job(4, 3, 3);
    simple.job.simple = true;
    EXPECT_FALSE(shrink_shape(simple, card));
    TabulatedJob signal = shrinking_job(4, 3, 1);
    signal.job.source.one_dimensional = true;
    EXPECT_FALSE(shrink_shape(signal, card));
}

// What a block of the kernel for rotated views computes fits every common card, and its texels cover all taps.

// Samples from the first to the last pixel of a rectangle, along x.
double span(const Affine& p, int columns, int rows) {
    return std::abs(p.xx) * (columns - 1) + std::abs(p.xy) * (rows - 1);
}

TEST(RotatedShape, ItsTexelsCoverAllTapsOnEveryCard) {
    int shapes = 0;
    for (const KnownCard& card : known_cards())
        for (const int taps : {2, 3, 4, 6, 8})
            for (const int channels : {1, 2, 4})
                for (double scale = 1.1; scale < 8; scale += 0.61)
                    for (double degrees = 1; degrees < 360; degrees += 17) {
                        const TabulatedJob job = rotated_job(SampleType::u8, taps, scale, degrees, channels);
                        const auto shape = rotated_shape(job, card.limits);
                        if (!shape) continue;
                        ++shapes;
                        const Affine& p = job.job.positions;
                        EXPECT_LT(shape->bytes(channels), card.limits.shared_bytes_per_block);
                        EXPECT_EQ(shape->group_columns * shape->group_rows, rotated_group);
                        const double group = span(p, shape->group_columns, shape->group_rows);
                        EXPECT_GE(shape->steps_x * rotated_step, group + taps * scale + 1 + 1) << "the first is even";
                        const double block =
                            span(p, shape->warps_across * rotated_columns, shape->warps_down * rotated_rows);
                        EXPECT_GE(shape->columns, block - group + 1 + shape->steps_x * rotated_step +
                                                      rotated_bytes(channels) / channels - 1);
                        EXPECT_EQ(shape->columns / 8 % 2, 1) << "rows are in different banks";
                        EXPECT_EQ(weight_table_floats(shape->table_rows) % 4, 0) << "texels after it are aligned";
                        EXPECT_EQ(shape->table_rows * weight_table_row, taps * table_nodes / 2);
                    }
    EXPECT_GT(shapes, 1000);
}

// A warp reads them at once: of a pixel's columns every other one, of its rows each.
TEST(RotatedShape, WeightsOfAPixelAreInDifferentBanks) {
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

TEST(RotatedShape, PhotographsOnEveryCardWithTensorCoresHaveOne) {
    for (const KnownCard& card : known_cards())
        EXPECT_EQ(rotated_shape(rotated_job(SampleType::u8, 6, 4, 10), card.limits).has_value(),
                  card.limits.compute_capability >= 80)
            << card.name;
}

TEST(RotatedShape, OtherViewsAreNotForIt) {
    const DeviceLimits card = *limits_of_card(90);
    ASSERT_TRUE(rotated_shape(rotated_job(SampleType::u8, 4, 3, 10), card));
    EXPECT_FALSE(rotated_shape(rotated_job(SampleType::u8, 4, 3, 10), *limits_of_card(75))) << "no such products";
    EXPECT_FALSE(rotated_shape(rotated_job(SampleType::u8, 2, 1.01, 10), card)) << "few taps";
    TabulatedJob job = rotated_job(SampleType::u8, 4, 3, 10);
    job.job.source.type = SampleType::u16;
    EXPECT_FALSE(rotated_shape(job, card)) << "samples that are not exact as halves";
    job = rotated_job(SampleType::u8, 4, 3, 10);
    job.job.positions.x0 = 1e9;
    EXPECT_FALSE(rotated_shape(job, card));
    job.job.positions.x0 = NAN;
    EXPECT_FALSE(rotated_shape(job, card));
    job = rotated_job(SampleType::u8, 4, 3, 10);
    job.job.simple = true;
    EXPECT_FALSE(rotated_shape(job, card));
    job = rotated_job(SampleType::u8, 4, 3, 10);
    job.local_stretch = true;
    EXPECT_FALSE(rotated_shape(job, card));
}

// The texels that a warp of the kernel for rotated views of any samples covers hold all taps of a group, on every common card.

// The samples at which the weight function is not beyond its radius, of all pixels of a group that begins at any pixel.
TEST(RotatedAnyShape, ItsTexelsHoldAllTapsOfAGroupOnEveryCard) {
    int shapes = 0;
    for (const KnownCard& card : known_cards())
        for (const int taps : {2, 3, 4, 6, 8})
            for (double scale = 1.1; scale < 8; scale += 0.61)
                for (double degrees = 1; degrees < 360; degrees += 17) {
                    const TabulatedJob job = rotated_job(SampleType::f32, taps, scale, degrees);
                    const auto shape = rotated_any_shape(job, card.limits);
                    if (!shape) continue;
                    ++shapes;
                    EXPECT_LE(shape->bytes(), card.limits.shared_bytes_per_block);
                    EXPECT_EQ(shape->group_columns * shape->group_rows, rotated_group);
                    EXPECT_EQ(rotated_columns % shape->group_columns + rotated_rows % shape->group_rows, 0);
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
                    // An interval holds at most as many whole numbers as its length, rounded down, and one.
                    EXPECT_GE(shape->columns, std::floor(largest_x - least_x + taps * scale) + 1);
                    EXPECT_GE(shape->rows, std::floor(largest_y - least_y + taps * scale) + 1);
                    EXPECT_EQ(shape->columns % rotated_any_lanes, 0);
                }
    EXPECT_GT(shapes, 3000);
}

TEST(RotatedAnyShape, FewTapsAreLeftToAThreadPerPixel) {
    const DeviceLimits limits = *limits_of_card(90);
    EXPECT_FALSE(rotated_any_shape(rotated_job(SampleType::f32, 4, 2, 10), limits));
    EXPECT_TRUE(rotated_any_shape(rotated_job(SampleType::f32, 4, 3, 10), limits));
    TabulatedJob job = rotated_job(SampleType::f32, 4, 4, 10);
    job.job.simple = true;
    EXPECT_FALSE(rotated_any_shape(job, limits));
}

// Positions in fixed point against those of extended precision.

ResampleJob affine_job(int width, int height, const Affine& positions) {
    ResampleJob job;
    job.source.width = job.source.height = 1 << 18;
    job.output.width = width;
    job.output.height = height;
    job.positions = positions;
    return job;
}

long double value_of(SplitCoordinate x) { return x.whole + (long double)(x.part) / 0x1p32L; }

struct Split {
    SplitCoordinate x, y;
};

Split split_at(const FixedAffine& f, long long i, long long j) {
    return {split(f, f.x0 + i * f.xx + j * f.xy), split(f, f.y0 + i * f.yx + j * f.yy)};
}

// An output of this size somewhere within 2¹⁸ samples, rotated and scaled at random.
Affine rotated_view(Random& random, int width, int height) {
    const double largest = 0x1p17 / std::max(width, height), angle = random.between(0, 6.3);
    const double scale = largest * random.between(0.01, 0.99), x0 = 0x1p17, y0 = 0x1p17;
    return {scale * std::cos(angle), -scale * std::sin(angle), x0 - random.unit(),
            scale * std::sin(angle), scale * std::cos(angle),  y0 - random.unit()};
}

// "integer part and fraction are each exact to about 2⁻²⁴ texel", whenever they are used at all.
TEST(FixedAffine, WhatItTakesIsExactToTwoToTheMinus24) {
    Random random(1);
    int taken = 0;
    for (int n = 0; n < 400; ++n) {
        const int width = 1 << random.integer(0, 21), height = 1 << random.integer(0, 21);
        const Affine a = rotated_view(random, width, height);
        const std::optional<FixedAffine> f = fixed_affine(affine_job(width, height, a));
        if (!f) continue;
        ++taken;
        for (int k = 0; k < 100; ++k) {
            const long long i = k == 0 ? width - 1 : random.integer(0, width - 1);
            const long long j = k <= 1 ? height - 1 : random.integer(0, height - 1);
            const Split at = split_at(*f, i, j);
            const long double x = (long double)a.xx * i + (long double)a.xy * j + a.x0;
            const long double y = (long double)a.yx * i + (long double)a.yy * j + a.y0;
            ASSERT_LE(std::abs(double(value_of(at.x) - x)), 0x1p-24)
                << width << "×" << height << " at " << i << ", " << j;
            ASSERT_LE(std::abs(double(value_of(at.y) - y)), 0x1p-24)
                << width << "×" << height << " at " << i << ", " << j;
        }
    }
    EXPECT_GT(taken, 200);
}

TEST(FixedAffine, WidthAndHeightTogetherAreAtMostTwoToThe19) {
    const Affine a{0.1, 0, 3, 0, 0.1, 4};
    constexpr int most = 1 << 19;
    EXPECT_TRUE(fixed_affine(affine_job(most - 1, 1, a)));
    EXPECT_TRUE(fixed_affine(affine_job(most / 2, most / 2, a)));
    EXPECT_FALSE(fixed_affine(affine_job(most, 1, a)));
    EXPECT_FALSE(fixed_affine(affine_job(1, most, a)));
    EXPECT_FALSE(fixed_affine(affine_job(INT32_MAX, INT32_MAX, {1e-6, 0, 3, 0, 1e-6, 4})));
}

// Steps like 1/3 have no exact representation, but every third position is whole and must not fall below it.
TEST(FixedAffine, WholePositionsStayWhole) {
    Random random(2);
    int taken = 0;
    for (int n = 0; n < 300; ++n) {
        const int q = random.integer(1, 12), p = random.integer(1, q), width = random.integer(1, (1 << 19) - 8);
        const double step = double(p) / q;
        const std::optional<FixedAffine> f = fixed_affine(affine_job(width, 8, {step, 0, 5, 0, 1, -3}));
        if (!f) continue;  // out of reach
        ++taken;
        for (int k = 0; k < 50; ++k) {
            const int whole = random.integer(0, (width - 1) / q);
            const SplitCoordinate x = split_at(*f, (long long)whole * q, 0).x;
            ASSERT_EQ(x.whole, 5 + whole * p) << step << ", " << width;
            ASSERT_EQ(x.part, 0u) << step << ", " << width;
        }
    }
    EXPECT_GT(taken, 100);
}

}  // namespace

}  // namespace texelscope::test
