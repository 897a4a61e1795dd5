// What a block of the shrinking kernel computes fits every common card, and all that it reads fits its threads.

#include <gtest/gtest.h>

#include "gpu/method/shrink_shape.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
