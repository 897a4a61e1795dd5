// Regions of images that are not in memory.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Regions along an axis: what they hold is the extended image, as an independent formula extends it.

TEST(AxisRegion, RunsAreTheExtendedAxis) {
    Random random(1);
    for (int k = 0; k < 2000; ++k) {
        const AddressMode mode = random.pick(all_address_modes);
        const int n = random.integer(2, 60);
        AxisRegion region;
        region.count = random.integer(1, n - 1);
        region.first = random.integer(-5 * n, 5 * n);
        if (random.chance(0.2)) region.first += int64_t(1) << random.integer(31, 48);
        if (!is_periodic(mode) && std::abs(region.first) > 1000) region.first %= 1000;
        int at = 0;
        for (const RegionRun& run : runs_of(region, mode, n)) {
            ASSERT_EQ(run.at, at);
            for (int i = 0; i < run.count; ++i, ++at) {
                const long long expected = reference::extended(mode, region.first + at, n);
                ASSERT_EQ(run.stored < 0 ? -1 : run.stored + run.step * i, expected)
                    << name_of(mode) << " n " << n << " first " << region.first << " at " << at;
            }
        }
        ASSERT_EQ(at, region.count);
    }
}

TEST(AxisRegion, HoldsThePositionsWithTheirReach) {
    Random random(2);
    for (int k = 0; k < 2000; ++k) {
        const AddressMode mode = random.pick(all_address_modes);
        const int n = random.integer(1, 5000), reach = random.integer(0, 40);
        const double low = random.between(-3.0 * n, 3.0 * n), high = low + random.between(0, n / 2.0);
        const AxisRegion region = axis_region(mode, n, {low, high}, reach);
        if (region.whole) {
            ASSERT_EQ(region.first, 0);
            ASSERT_EQ(region.count, n);
            continue;
        }
        ASSERT_LT(region.count, n);
        if (is_periodic(mode) || (low > 0 && high < n - 1)) {
            ASSERT_LE(double(region.first), low - reach);
            ASSERT_GE(double(region.first + region.count - 1), high + reach);
        }
    }
}

// Beyond the reach of everything, clamp and border are constant: the region does not go there.
TEST(AxisRegion, StaysNearAnImageThatDoesNotRepeat) {
    const AxisRegion region = axis_region(AddressMode::clamp, 5000, {1e12, 1e12 + 700}, 20);
    EXPECT_GE(region.first + region.count, 5000);
    EXPECT_LE(region.first + region.count, 5100);
    EXPECT_LE(axis_region(AddressMode::border, 5000, {-1e12, -1e12 + 700}, 20).count, 100);
}

TEST(Assemble, ARegionIsTheExtendedImage) {
    Random random(3);
    for (int k = 0; k < 300; ++k) {
        const auto image = std::make_shared<const Image>(random_image(random));
        const ImageTiles tiles(image, random.integer(1, 40));
        const int w = image->width(), h = image->height();
        ImageRegion region{{}, {}, w, h, random.pick(all_address_pairs())};
        for (auto [axis, n] : {std::pair(&region.x, w), std::pair(&region.y, h)}) {
            axis->whole = random.chance(0.1) || n == 1;
            axis->count = axis->whole ? n : random.integer(1, n - 1);
            axis->first = axis->whole ? 0 : random.integer(-3 * n, 3 * n);
        }
        const Image got = assembled(
            region, image->channels(), image->type(), image->alpha(),
            [&](const SampleRegion& region, std::byte* to, size_t row_bytes) { tiles.read(0, region, to, row_bytes); });
        ASSERT_EQ(got.width(), region.x.count);
        for (int y = 0; y < got.height(); ++y)
            for (int x = 0; x < got.width(); ++x)
                for (int c = 0; c < got.channels(); ++c) {
                    const long long sx = reference::extended(region.address.x, region.x.first + x, w),
                                    sy = reference::extended(region.address.y, region.y.first + y, h);
                    const float expected = sx < 0 || sy < 0 ? 0 : image->value(int(sx), int(sy), c);
                    ASSERT_EQ(got.value(x, y, c), expected) << to_string(region.address) << " " << x << ", " << y;
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

// Nearest exactly halfway between two samples, through regions of an image: pixel k of N reads sample
// floor((2k + 1)·n / 2N) of n, whatever sample a region begins with.

class TiledTies : public OnBackend {};

TEST_P(TiledTies, AreDecidedAsInTheWholeImage) {
    struct Sizes {
        int n, m, width, height;
    };
    for (const auto& [n, m, width, height] : {Sizes{2560, 30, 1920, 40}, {3000, 1001, 4000, 715}, {70, 2000, 91, 1500}})
        for (const FetchPath path : auto_and_every_path()) {
            const auto image = std::make_shared<Image>(n, m, 1, SampleType::f32);
            std::iota(image->row_as<float>(0), image->row_as<float>(0) + size_t(n) * size_t(m), 0.0f);
            RenderRequest request;
            request.spec = spec_of("nearest");
            request.spec.path = path;
            request.width = width;
            request.height = height;
            request.positions = aligned_affine(Align::centers, n, m, width, height);
            TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 100), {least_tiled_memory, Light::stored});
            const Image picture = tiled.render_to_image(request);
            int wrong = 0;
            for (int j = 0; j < height; ++j)
                for (int i = 0; i < width; ++i) {
                    const long long column = (2LL * i + 1) * n / (2LL * width),
                                    row = (2LL * j + 1) * m / (2LL * height);
                    wrong += picture.row_as<float>(j)[i] != float(row * n + column);
                }
            EXPECT_EQ(wrong, 0) << n << "×" << m << " to " << width << "×" << height << ", " << name_of(path);
        }
}

ON_EVERY_BACKEND(TiledTies);

// An image of 200 000 × 200 000 samples, 160 GB, that is never stored: against float64 of the samples around each view.

constexpr int side = 200000;

class HugeImage : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!backend_) return;
        source_ =
            std::make_shared<FormulaTiles>(side, side, [](int64_t x, int64_t y) { return zone_plate(side, x, y); });
        tiled_ = std::make_unique<TiledImage>(backend_, source_, TiledOptions{.memory = size_t(64) << 20});
    }

    // The samples around (x, y), extended by independent code, as an image of their own.
    static Image around(const AddressPair& address, int64_t x, int64_t y, int size) {
        Image crop(size, size, 1, SampleType::f32);
        for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i) {
                const long long sx = reference::extended(address.x, x + i, side),
                                sy = reference::extended(address.y, y + j, side);
                crop.row_as<float>(j)[i] = sx < 0 || sy < 0 ? 0 : zone_plate(side, sx, sy);
            }
        return crop;
    }

    std::shared_ptr<FormulaTiles> source_;
    std::unique_ptr<TiledImage> tiled_;
};

// At the far corner a float32 coordinate would be off by 1/128 sample.
TEST_P(HugeImage, ViewsAreThoseOfFloat64) {
    struct Place {
        double x, y;
    };
    constexpr Place places[] = {
        {99999.5, 99999.5}, {123456.7, 34567.8}, {199999.2, 199999.4}, {-0.5, 150000.25}, {200010.3, -15.6}};
    // A coefficient at a region's end lacks what lies beyond the prefilter's reach, |z|^reach < 1e-8 of up to 56 times the samples.
    constexpr double allowed = tolerance::exact_path + 56e-8;
    Random random(30);
    for (const char* text : {"bspline", "catmull-rom", "quintic", "lanczos3", "omoms", "bilinear"}) {
        if (!find_method(text)) continue;
        for (const Place& place : places) {
            RenderRequest request = request_of(spec_of(text), 40, 30);
            request.spec.address = random.pick(all_address_pairs());
            request.view.translate_x = place.x - (side - 1) / 2.0;
            request.view.translate_y = place.y - (side - 1) / 2.0;
            request.view.scale = random.between(0.05, 1.0);
            request.view.rotate = random.chance(0.3) ? 0 : random.between(0, 360);
            const int64_t x = int64_t(std::floor(place.x)) - 80, y = int64_t(std::floor(place.y)) - 80;
            MethodSpec inside = request.spec;  // the crop is larger than anything that is read
            inside.address = {};
            const reference::Interpolant model(around(request.spec.address, x, y, 160), inside);
            const Image got = tiled_->render_to_image(request);
            for (int j = 0; j < 30; ++j)
                for (int i = 0; i < 40; ++i) {
                    const reference::Position p =
                        reference::position(request.view, side, side, request.width, request.height, i, j);
                    const double expected = model.at({p.x - x, p.y - y})[0];
                    ASSERT_NEAR(got.value(i, j, 0), expected, allowed)
                        << text << " " << to_string(request.spec.address) << " at " << place.x << ", " << place.y
                        << " pixel " << i << ", " << j << " scale " << request.view.scale;
                }
        }
    }
    EXPECT_LT(source_->samples_read, size_t(200) << 20);  // not the 40 gigapixels
}

// A level of the pyramid is made where the view is, and nowhere else. Near the centre the plate's waves are long: shrunk
// eightfold it is the same function of the place.
TEST_P(HugeImage, AShrunkViewReadsWhatIsInViewOnly) {
    RenderRequest request = request_of(spec_of("lanczos3"), 300, 200);
    request.view.scale = 12;
    request.antialias = true;
    const Image got = tiled_->render_to_image(request);
    for (int j = 0; j < 200; ++j)
        for (int i = 0; i < 300; ++i) {
            const double x = 12 * (i - 149.5), y = 12 * (j - 99.5);
            const double expected = 0.5 + 0.5 * std::cos(std::numbers::pi * (x * x + y * y) / side);
            ASSERT_NEAR(got.value(i, j, 0), expected, 2e-3) << i << ", " << j;
        }
    EXPECT_LT(source_->samples_read, size_t(80) << 20);
}

ON_EVERY_BACKEND(HugeImage);

}  // namespace
}  // namespace texelscope::test
