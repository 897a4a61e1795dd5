// The kernel choice is a function of the job and the device's limits: what it chooses fits every common card.

#include <gtest/gtest.h>

#include "gpu/method/cpu_vector.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/output.h"
#include "gpu/prefilter/prefilter.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// A view of 4096² texels by `auto`, as the backend would request it.
ResampleJob job_of(int channels, SampleType type, const View& view) {
    ResampleJob job;
    job.source.width = job.source.height = 4096;
    job.source.channels = channels;
    job.source.type = type;
    job.source.row_bytes = size_t(4096) * size_t(channels) * size_t(bytes_per_sample(type));
    job.output.width = 1920;
    job.output.height = 1080;
    job.output.channels = channels;
    job.positions = sampling_affine(view, 4096, 4096, 1920, 1080);
    return job;
}

DeviceLimits card(int compute_capability) { return *limits_of_card(compute_capability); }

// For a method of so many taps and fetches along each axis.
KernelChoice choose_kernel(const ResampleJob& job, int taps, int fetches, const DeviceLimits& limits) {
    return choose({job, WeightsFrom::method, taps, fetches}, {&limits});
}

TEST(KernelChoice, KnowsTheCardsThatPeopleHave) {
    for (const int capability : {75, 80, 86, 89, 90, 120}) EXPECT_TRUE(limits_of_card(capability)) << capability;
    EXPECT_FALSE(limits_of_card(70));
    // CUDA C++ Programming Guide, technical specifications: shared memory that a block can opt into.
    EXPECT_EQ(card(75).shared_bytes_per_block, 64u << 10);
    EXPECT_EQ(card(80).shared_bytes_per_block, 163u << 10);
    EXPECT_EQ(card(86).shared_bytes_per_block, 99u << 10);
    EXPECT_EQ(card(89).shared_bytes_per_block, 99u << 10);
    EXPECT_EQ(card(90).shared_bytes_per_block, 227u << 10);
    EXPECT_EQ(card(120).shared_bytes_per_block, 99u << 10);
}

TEST(KernelChoice, LoweringTakesTheLesserOfEachNumber) {
    DeviceLimits device = card(90);
    device.texture_height = 100;
    const DeviceLimits both = lowered(device, card(75));
    EXPECT_EQ(both.shared_bytes_per_block, card(75).shared_bytes_per_block);
    EXPECT_EQ(both.multiprocessors, card(75).multiprocessors);
    EXPECT_EQ(both.texture_height, 100);
    EXPECT_EQ(lowered(card(75), card(90)), card(75));
}

TEST(KernelChoice, MarchesStraightViewsAndTilesRotatedOnes) {
    for (const KnownCard& known : known_cards()) {
        EXPECT_EQ(choose_kernel(job_of(4, SampleType::u8, {0, 0, 0.5, 0}), 4, 3, known.limits).kernel,
                  ResampleKernel::march);
        EXPECT_EQ(choose_kernel(job_of(4, SampleType::u8, {0, 0, 0.5, 10}), 4, 3, known.limits).kernel,
                  ResampleKernel::tile);
    }
}

TEST(KernelChoice, TilesStraightViewsOfTwoTapsWhereNoRowIsReadTwice) {
    const auto chosen = [](double scale, SampleType type) {
        return choose_kernel(job_of(4, type, {0, 0, scale, 0}), 2, 1, card(90)).kernel;
    };
    EXPECT_EQ(chosen(1, SampleType::u8), ResampleKernel::tile);
    EXPECT_EQ(chosen(0.5, SampleType::u8), ResampleKernel::march);
    EXPECT_EQ(chosen(1, SampleType::f32), ResampleKernel::march) << "its tiles are not packed";
}

// Four channels, four taps, 30°, scale 1.2: 57 KiB, the photograph that failed on every card with less than 100.
TEST(KernelChoice, ARotatedPhotographFitsEveryCard) {
    const ResampleJob job = job_of(4, SampleType::u8, {0, 0, 1.2, 30});
    for (const KnownCard& known : known_cards()) {
        const KernelChoice choice = choose_kernel(job, 4, 2, known.limits);
        ASSERT_EQ(choice.kernel, ResampleKernel::tile) << known.name;
        EXPECT_GT(choice.tile.bytes(4), 48u << 10);
        EXPECT_LE(choice.tile.bytes(4), known.limits.shared_bytes_per_block) << known.name;
    }
}

TEST(KernelChoice, TakesAnotherKernelWhereTheTileDoesNotFit) {
    // The largest scales at which a tile still fits each card, found by bisection.
    const auto largest = [](const DeviceLimits& limits) {
        double fits = 1, not_any_more = 8;
        for (int n = 0; n < 40; ++n) {
            const double middle = (fits + not_any_more) / 2;
            const bool tiles = choose_kernel(job_of(4, SampleType::f32, {0, 0, middle, 30}), 4, 2, limits).kernel ==
                               ResampleKernel::tile;
            (tiles ? fits : not_any_more) = middle;
        }
        return fits;
    };
    EXPECT_LT(largest(card(75)), largest(card(86)));
    EXPECT_LT(largest(card(86)), largest(card(90)) + 1e-9);
    EXPECT_EQ(largest(card(86)), largest(card(120)));
    const double beyond = largest(card(75)) + 0.05;
    EXPECT_EQ(choose_kernel(job_of(4, SampleType::f32, {0, 0, beyond, 30}), 4, 2, card(75)).kernel,
              ResampleKernel::simple);
    EXPECT_EQ(choose_kernel(job_of(4, SampleType::f32, {0, 0, beyond, 30}), 2, 1, card(75)).kernel,
              ResampleKernel::direct);
}

TEST(KernelChoice, NeverAsksForMoreSharedMemoryThanThereIs) {
    Random random(3);
    for (int n = 0; n < 20000; ++n) {
        const int channels = random.pick(std::vector{1, 2, 4}), taps = random.pick(std::vector{1, 2, 4, 6, 8});
        const SampleType type = random.pick(std::vector{SampleType::u8, SampleType::f16, SampleType::f32});
        const ResampleJob job = job_of(
            channels, type, {random.between(-3000, 3000), 0, random.between(0.05, 12), random.between(-180, 180)});
        DeviceLimits limits = random.pick(known_cards()).limits;
        if (random.chance(0.3)) limits.shared_bytes_per_block = size_t(random.integer(16, 48)) << 10;
        const KernelChoice choice = choose_kernel(job, taps, std::max(1, taps / 2), limits);
        if (choice.kernel != ResampleKernel::tile) continue;
        ASSERT_LE(choice.tile.bytes(channels), limits.shared_bytes_per_block);
        ASSERT_GT(taps, 1);
        ASSERT_TRUE(choice.fixed);
    }
}

TEST(KernelChoice, LeavesWhatFixedPositionsCannotDoToTheSimpleKernel) {
    const auto chosen = [](auto change) {
        ResampleJob job = job_of(1, SampleType::f32, {0, 0, 0.5, 10});
        change(job);
        return choose_kernel(job, 4, 2, card(90)).kernel;
    };
    EXPECT_EQ(chosen([](ResampleJob& job) { job.simple = true; }), ResampleKernel::simple);
    EXPECT_EQ(chosen([](ResampleJob& job) { job.source.one_dimensional = true; }), ResampleKernel::simple);
    EXPECT_EQ(chosen([](ResampleJob& job) { job.positions.x0 = 1e9; }), ResampleKernel::simple);
    EXPECT_EQ(chosen([](ResampleJob& job) { job.spec.path = FetchPath::global; }), ResampleKernel::simple);
}

TEST(KernelChoice, TakesTheSameKernelForLinearLightAndForNanOutside) {
    for (const double angle : {0.0, 10.0}) {
        const auto chosen = [&](auto change) {
            ResampleJob job = job_of(4, SampleType::u8, {1080, 0, 1, angle});
            change(job);
            return choose_kernel(job, 4, 2, card(90));
        };
        const KernelChoice plain = chosen([](ResampleJob&) {});
        const KernelChoice nan = chosen([](ResampleJob& job) { job.outside = Outside::nan; });
        EXPECT_NE(plain.kernel, ResampleKernel::simple);
        EXPECT_FALSE(plain.needs_nan_outside());
        EXPECT_EQ(nan.kernel, plain.kernel);
        EXPECT_EQ(nan.needs_nan_outside(), angle != 0);  // only the rotated view reaches beyond the image
        EXPECT_FALSE(nan.fixed->clips);
        EXPECT_EQ(chosen([](ResampleJob& job) { job.output.encode_srgb = true; }).kernel, plain.kernel);
    }
    // Each pixel separately, only the simple kernel writes linear light.
    ResampleJob job = job_of(4, SampleType::u8, {0, 0, 0.5, 10});
    job.spec.path = FetchPath::hardware;
    EXPECT_EQ(choose_kernel(job, 4, 2, card(90)).kernel, ResampleKernel::direct);
    job.output.encode_srgb = true;
    EXPECT_EQ(choose_kernel(job, 4, 2, card(90)).kernel, ResampleKernel::simple);
}

TEST(KernelChoice, FoldsTextureCoordinatesOnlyForAModeThatTheTextureUnitLacks) {
    for (const FetchPath path : {FetchPath::automatic, FetchPath::global, FetchPath::lookup, FetchPath::hardware})
        for (const AddressMode x : all_address_modes)
            for (const AddressMode y : all_address_modes) {
                ResampleJob job = job_of(4, SampleType::u8, {0, 0, 0.5, 10});
                job.spec.path = path;
                job.source.address = {x, y};
                const KernelChoice choice = choose_kernel(job, 2, 1, card(90));
                const bool by_texture = path == FetchPath::lookup || path == FetchPath::hardware;
                const bool lacks = x == AddressMode::reflect101 || y == AddressMode::reflect101;
                EXPECT_EQ(choice.folds, by_texture && lacks);
                EXPECT_NE(choice.kernel, ResampleKernel::simple) << "ties are decided as in other modes";
            }
}

// The image's edges are those of positions in float64: [−½, n − ½) with a background, [0, n − 1] with NaN outside.
TEST(FixedAffine, EndsTheSamplesWhereFloat64Does) {
    for (const double step : {1.0, 0.5, 0.25, 1.75})
        for (const double first : {-3.0, -2.5, -0.5, 0.0, 0.125}) {
            ResampleJob job = job_of(1, SampleType::f32, {});
            job.outside = Outside::nan;
            job.source.width = job.source.height = 16;
            job.output.width = job.output.height = 80;
            job.positions = {step, 0, first, 0, step, first};
            const std::optional<FixedAffine> f = fixed_affine(job);
            ASSERT_TRUE(f && f->nan_outside);
            for (int i = 0; i < job.output.width; ++i)
                ASSERT_EQ(is_beyond_samples(split(*f, f->x0 + i * f->xx), 16),
                          is_outside_axis(Outside::nan, first + step * i, 16))
                    << "position " << first + step * i;
        }
}

// Pictures of 8 bits keep their tiles packed where there are two taps.
TEST(KernelChoice, PacksTilesOfTwoTaps) {
    const ResampleJob job = job_of(4, SampleType::u8, {0, 0, 0.5, 10});
    const TileShape two = choose_kernel(job, 2, 1, card(90)).tile, four = choose_kernel(job, 4, 2, card(90)).tile;
    EXPECT_TRUE(two.packed);
    EXPECT_EQ(two.bytes(4), size_t(two.pitch) * size_t(two.rows) * 4);
    EXPECT_FALSE(four.packed);
    EXPECT_EQ(four.bytes(4), size_t(four.pitch) * size_t(four.rows) * 16);
    EXPECT_FALSE(choose_kernel(job_of(4, SampleType::f16, {0, 0, 0.5, 10}), 2, 1, card(90)).tile.packed);
    EXPECT_FALSE(choose_kernel(job_of(1, SampleType::u8, {0, 0, 0.5, 10}), 2, 1, card(90)).tile.packed);
}

TEST(PrefilterChoice, EveryTileFitsEveryCard) {
    for (const KnownCard& known : known_cards())
        for (int reach = 1; reach <= longest_convolution; ++reach) {
            const ConvolutionTile tile = choose_tile(reach, known.limits);
            EXPECT_GE(tile.reach, reach);
            EXPECT_LE(shared_bytes(tile), known.limits.shared_bytes_per_block) << known.name << ", reach " << reach;
        }
    EXPECT_EQ(choose_tile(24, card(75)).height, 32);
    EXPECT_EQ(choose_tile(24, card(86)).height, 64);
    EXPECT_EQ(choose_tile(25, card(75)), (ConvolutionTile{32, 16}));
    EXPECT_EQ(choose_tile(32, card(90)), (ConvolutionTile{32, 64}));
}

// Blocks side by side cover all rows, and there are about as many as run at once.
TEST(PrefilterChoice, SegmentsFillTheDeviceOnce) {
    constexpr int threads = 128, chunk = 4, reach = 16, most_blocks = 4;
    constexpr size_t shared = 40 << 10;
    for (const KnownCard& known : known_cards())
        for (const int height : {1, 15, 1000, 8192, 100000})
            for (const int strips : {1, 7, 300}) {
                const int segment =
                    fused_segment(height, strips, threads, shared, most_blocks, chunk, reach, known.limits);
                EXPECT_GE(segment, reach);
                EXPECT_EQ(segment % chunk, 0);
                const int segments = (height + segment - 1) / segment;
                const int at_once = known.limits.multiprocessors * most_blocks;
                EXPECT_LE(segments * strips, std::max(strips, at_once)) << known.name << " " << height << " " << strips;
            }
    // A Turing multiprocessor has room for one block of 40 KiB, a Hopper for as many as its registers allow.
    EXPECT_EQ(fused_segment(14000, 1, threads, shared, most_blocks, chunk, reach, card(75)), 1000);
    EXPECT_EQ(fused_segment(114 * 4 * 100, 1, threads, shared, most_blocks, chunk, reach, card(90)), 100);
}

// The order of the axes on the CPU: a row is filtered as seldom as possible, unless that adds many more numbers.

ResampleJob separable_job(int channels, double scale_x, double scale_y) {
    ResampleJob job;
    job.source.channels = channels;
    job.source.width = job.source.height = 1000;
    job.positions = {scale_x, 0, 0, 0, scale_y, 0};
    return job;
}

TEST(SeparableOrder, RowsAreAddedFirstWhereTheyAreManyForEachPixel) {
    for (const int channels : {1, 2, 3, 4}) {
        EXPECT_TRUE(adds_rows_first(separable_job(channels, 10.0 / 3, 10.0 / 3), 20, 20));  // lanczos3, the photograph
        EXPECT_TRUE(adds_rows_first(separable_job(channels, 2, 2), 4, 4));
        EXPECT_TRUE(adds_rows_first(separable_job(channels, 0.5, 3), 4, 12));  // only the rows shrink
    }
}

TEST(SeparableOrder, ColumnsAreFilteredFirstWhereOutputRowsShareThem) {
    for (const int channels : {1, 2, 3, 4}) {
        EXPECT_FALSE(adds_rows_first(separable_job(channels, 0.125, 0.125), 4, 4));
        EXPECT_FALSE(adds_rows_first(separable_job(channels, 4, 0.125), 16, 4));  // only the columns shrink
        EXPECT_FALSE(adds_rows_first(separable_job(channels, 0.25, 0.25), 2, 2));
    }
}

// Sums of four rows are filtered by the same weights: of colours, that pays off before a picture shrinks.
TEST(SeparableOrder, DependsOnTheChannelsWhereItIsClose) {
    for (const int channels : {1, 2, 3, 4}) {
        EXPECT_EQ(adds_rows_first(separable_job(channels, 0.5, 0.5), 8, 8), channels >= 3);
        EXPECT_EQ(adds_rows_first(separable_job(channels, 0.7, 0.7), 4, 4), channels >= 3);
    }
}

TEST(SeparableOrder, TurningOverChangesNothing) {
    EXPECT_TRUE(adds_rows_first(separable_job(3, -4, -4), 16, 16));
    EXPECT_FALSE(adds_rows_first(separable_job(3, -0.25, -0.25), 4, 4));
}

TEST(SeparableOrder, ASignalHasNoRowsToAdd) {
    ResampleJob job = separable_job(1, 4, 4);
    job.source.one_dimensional = true;
    EXPECT_FALSE(adds_rows_first(job, 24, 1));
}

// Taps of pixels that are each the mean of so many samples, the first and the last of which weigh `ends` of the others.
LongTaps means(int pixels, int samples, float ends) {
    LongTaps taps{samples, {}, {}};
    const float inner = 1 / (float(samples - 2) + 2 * ends);
    for (int i = 0; i < pixels; ++i) {
        taps.first.push_back(i * samples);
        for (int k = 0; k < samples; ++k) taps.weights.push_back(k == 0 || k == samples - 1 ? inner * ends : inner);
    }
    return taps;
}

TEST(KernelChoice, AddsBoxesUpAtOnceOnEveryCard) {
    ResampleJob job = job_of(4, SampleType::u8, {0, 0, 4, 0});
    job.spec = default_spec(*find_method("nearest"));
    TabulatedJob tabulated{job, {}, {}, false};
    tabulated.x.radius = tabulated.y.radius = 0.5f;
    tabulated.x.stretch = tabulated.y.stretch = 4;
    const LongTaps x = means(480, 4, 1), y = means(270, 4, 1);
    for (const KnownCard& known : known_cards()) {
        const KernelChoice by_table = choose(KernelQuestion::of(tabulated), {&known.limits});
        EXPECT_EQ(by_table.kernel, ResampleKernel::box) << known.name;
        EXPECT_EQ(by_table.box.lanes, 1) << known.name;
        const LongPasses passes;
        const LongTapsOfJob taps{x, y, passes};
        EXPECT_EQ(choose(KernelQuestion::of(job, taps), {&known.limits}).kernel, ResampleKernel::box) << known.name;
    }
    tabulated.x.radius = tabulated.y.radius = 1;
    EXPECT_EQ(choose(KernelQuestion::of(tabulated), {&known_cards().front().limits}).kernel, ResampleKernel::shrink);
}

TEST(KernelChoice, SharesTheRowsOfFewLargeBoxes) {
    const DeviceLimits limits = card(90);
    ResampleOutput out;
    out.width = out.height = 64;
    EXPECT_EQ(box_shape(out, 1, 64, limits)->lanes, 32);
    EXPECT_LT(box_shape(out, 64, 64, limits)->lanes, 32) << "64 images fill the GPU with fewer threads for each pixel";
    EXPECT_LE(box_shape(out, 1, 3, limits)->lanes, 3) << "no thread is without a row";
    out.width = out.height = 1024;
    EXPECT_EQ(box_shape(out, 1, 64, limits)->lanes, 1);
}

// What is rounded between the passes, or not exactly as one sum would be, is left to the passes.
TEST(KernelChoice, LeavesPassesThatRoundToThemselves) {
    ResampleJob job = job_of(1, SampleType::u8, {0, 0, 4, 0});
    const DeviceLimits limits = card(90);
    const LongTaps even = means(64, 4, 1), uneven = means(64, 4, 0.3f);
    const auto chosen = [&](const LongTaps& x, const LongPasses& passes, bool on_gpu) {
        const LongTapsOfJob taps{x, even, passes};
        return choose(KernelQuestion::of(job, taps), {on_gpu ? &limits : nullptr}).kernel;
    };
    LongPasses levels;
    levels.unit = 255;
    levels.whole = true;
    levels.second = {.round = Rounding::half_even, .clipped = true, .low = 0, .high = 255};
    for (const bool on_gpu : {false, true}) {
        EXPECT_EQ(chosen(even, levels, on_gpu), ResampleKernel::box);
        EXPECT_EQ(chosen(uneven, levels, on_gpu), on_gpu ? ResampleKernel::box : ResampleKernel::long_taps);
        LongPasses each = levels;
        each.first = each.second;
        EXPECT_EQ(chosen(even, each, on_gpu), ResampleKernel::long_taps);
        LongPasses filled = levels;
        filled.fill = 3;
        EXPECT_EQ(chosen(even, filled, on_gpu), ResampleKernel::long_taps);
        LongPasses down_first = levels;
        down_first.y_first = true;
        EXPECT_EQ(chosen(uneven, down_first, on_gpu), ResampleKernel::long_taps) << "sums are rounded along y first";
    }
    job.simple = true;
    EXPECT_EQ(chosen(even, levels, true), ResampleKernel::long_taps);
    LongTaps cubic = even;
    cubic.weights[1] = 0.5f;
    job.simple = false;
    EXPECT_EQ(chosen(cubic, {}, true), ResampleKernel::long_taps) << "its inner weights differ";
}

}  // namespace
}  // namespace texelscope::test
