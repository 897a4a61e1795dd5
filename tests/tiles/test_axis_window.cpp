// Windows along an axis: what they hold is the extended image, as an independent formula extends it.

#include <gtest/gtest.h>

#include "gpu/tiles/assemble.h"
#include "gpu/tiles/image_tiles.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"

namespace texelscope::test {
namespace {

TEST(AxisWindow, RunsAreTheExtendedAxis) {
    Random random(1);
    for (int k = 0; k < 2000; ++k) {
        const AddressMode mode = random.pick(all_address_modes);
        const int n = random.integer(2, 60);
        AxisWindow window;
        window.count = random.integer(1, n - 1);
        window.first = random.integer(-5 * n, 5 * n);
        if (random.chance(0.2)) window.first += int64_t(1) << random.integer(31, 48);
        if (!is_periodic(mode) && std::abs(window.first) > 1000) window.first %= 1000;
        int at = 0;
        for (const WindowRun& run : runs_of(window, mode, n)) {
            ASSERT_EQ(run.at, at);
            for (int i = 0; i < run.count; ++i, ++at) {
                const long long expected = reference::extended(mode, window.first + at, n);
                ASSERT_EQ(run.stored < 0 ? -1 : run.stored + run.step * i, expected)
                    << name_of(mode) << " n " << n << " first " << window.first << " at " << at;
            }
        }
        ASSERT_EQ(at, window.count);
    }
}

TEST(AxisWindow, HoldsThePositionsWithTheirReach) {
    Random random(2);
    for (int k = 0; k < 2000; ++k) {
        const AddressMode mode = random.pick(all_address_modes);
        const int n = random.integer(1, 5000), reach = random.integer(0, 40);
        const double low = random.between(-3.0 * n, 3.0 * n), high = low + random.between(0, n / 2.0);
        const AxisWindow window = axis_window(mode, n, {low, high}, reach);
        if (window.whole) {
            ASSERT_EQ(window.first, 0);
            ASSERT_EQ(window.count, n);
            continue;
        }
        ASSERT_LT(window.count, n);
        if (is_periodic(mode) || (low > 0 && high < n - 1)) {
            ASSERT_LE(double(window.first), low - reach);
            ASSERT_GE(double(window.first + window.count - 1), high + reach);
        }
    }
}

// Beyond the reach of everything, clamp and border are constant: the window does not go there.
TEST(AxisWindow, StaysNearAnImageThatDoesNotRepeat) {
    const AxisWindow window = axis_window(AddressMode::clamp, 5000, {1e12, 1e12 + 700}, 20);
    EXPECT_GE(window.first + window.count, 5000);
    EXPECT_LE(window.first + window.count, 5100);
    EXPECT_LE(axis_window(AddressMode::border, 5000, {-1e12, -1e12 + 700}, 20).count, 100);
}

TEST(Assemble, AWindowIsTheExtendedImage) {
    Random random(3);
    for (int k = 0; k < 300; ++k) {
        const auto image = std::make_shared<const Image>(random_image(random));
        const ImageTiles tiles(image, random.integer(1, 40));
        const int w = image->width(), h = image->height();
        ImageWindow window{{}, {}, w, h, random.pick(all_address_pairs())};
        for (auto [axis, n] : {std::pair(&window.x, w), std::pair(&window.y, h)}) {
            axis->whole = random.chance(0.1) || n == 1;
            axis->count = axis->whole ? n : random.integer(1, n - 1);
            axis->first = axis->whole ? 0 : random.integer(-3 * n, 3 * n);
        }
        const Image got = assembled(
            window, image->channels(), image->type(), image->alpha(),
            [&](const SampleRegion& region, std::byte* to, size_t row_bytes) { tiles.read(0, region, to, row_bytes); });
        ASSERT_EQ(got.width(), window.x.count);
        for (int y = 0; y < got.height(); ++y)
            for (int x = 0; x < got.width(); ++x)
                for (int c = 0; c < got.channels(); ++c) {
                    const long long sx = reference::extended(window.address.x, window.x.first + x, w),
                                    sy = reference::extended(window.address.y, window.y.first + y, h);
                    const float expected = sx < 0 || sy < 0 ? 0 : image->value(int(sx), int(sy), c);
                    ASSERT_EQ(got.value(x, y, c), expected) << to_string(window.address) << " " << x << ", " << y;
                }
    }
}

TEST(ImageTiles, RefusesWhatItCannotRead) {
    EXPECT_THROW(ImageTiles(nullptr), Error);
    EXPECT_THROW(ImageTiles(std::make_shared<const Image>(signal(5, [](int) { return 0; }))), Error);
    const auto image = std::make_shared<const Image>(noise(9, 7, 1, SampleType::u8, 1));
    EXPECT_THROW(ImageTiles(image, 0), Error);
    std::byte samples[100];
    const ImageTiles tiles(image, 4);
    for (const SampleRegion& region : {SampleRegion{-1, 0, 2, 2}, SampleRegion{0, 0, 10, 1}, SampleRegion{0, 6, 1, 2},
                                       SampleRegion{0, 0, 0, 1}, SampleRegion{int64_t(1) << 40, 0, 1, 1}})
        EXPECT_THROW(tiles.read(0, region, samples, 10), Error);
    EXPECT_THROW(tiles.read(1, {0, 0, 1, 1}, samples, 10), Error);
}

}  // namespace
}  // namespace texelscope::test
