// Tiles in memory, and their budget.

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "gpu/backend/memory_budget.h"
#include "gpu/core/errors.h"
#include "gpu/tiles/tile_cache.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/tiles/live_views.h"

namespace texelscope::test {
namespace {

// The tiles of a source in memory: the same samples, within the budget, from many threads, and what cannot be read.

float place(int64_t x, int64_t y) { return float(x) + 1000.0f * float(y); }

std::shared_ptr<FormulaTiles> places(int width = 700, int height = 500, int tile = 64) {
    return std::make_shared<FormulaTiles>(width, height, place, tile);
}

std::vector<float> read(TileCache& cache, const SampleRegion& region) {
    std::vector<float> samples(size_t(region.width) * size_t(region.height));
    cache.read(0, region, reinterpret_cast<std::byte*>(samples.data()), size_t(region.width) * sizeof(float));
    return samples;
}

void expect_right(TileCache& cache, const SampleRegion& region) {
    const std::vector<float> samples = read(cache, region);
    for (int y = 0; y < region.height; ++y)
        for (int x = 0; x < region.width; ++x)
            ASSERT_EQ(samples[size_t(y) * size_t(region.width) + size_t(x)], place(region.x + x, region.y + y));
}

SampleRegion random_region(Random& random, int width, int height) {
    SampleRegion region;
    region.x = random.integer(0, width - 1);
    region.y = random.integer(0, height - 1);
    region.width = random.integer(1, std::min(width - int(region.x), 200));
    region.height = random.integer(1, std::min(height - int(region.y), 200));
    return region;
}

constexpr size_t tile_bytes = 64 * 64 * sizeof(float);

// Ready within a time that even a busy machine does not take.
bool becomes_ready(const TileCache& cache, const SampleRegion& region) {
    for (int k = 0; k < 20000 && !cache.ready(0, region); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return cache.ready(0, region);
}

TEST(TileCache, GivesTheSamplesOfTheSourceWithinItsBudget) {
    for (const int threads : {0, 3}) {
        TileCache cache(places(), 20 * tile_bytes, threads);
        Random random(4);
        for (int k = 0; k < 300; ++k) expect_right(cache, random_region(random, 700, 500));
        EXPECT_LE(cache.most_bytes(), (20 + size_t(threads) + 1) * tile_bytes);
        EXPECT_LE(cache.bytes(), 20 * tile_bytes);
    }
}

TEST(TileCache, WorksInABudgetOfNothing) {
    TileCache cache(places(), 0, 2);
    expect_right(cache, {3, 5, 300, 200});
    EXPECT_LE(cache.most_bytes(), 3 * tile_bytes);
}

TEST(TileCache, GivesUpTheLeastRecentlyUsed) {
    const auto source = places();
    TileCache cache(source, 3 * tile_bytes, 0);
    const SampleRegion a{0, 0, 64, 64}, b{64, 0, 64, 64}, c{128, 0, 64, 64}, d{192, 0, 64, 64};
    for (const SampleRegion& region : {a, b, c, a, d}) read(cache, region);
    EXPECT_TRUE(cache.ready(0, a));
    EXPECT_FALSE(cache.ready(0, b));
    EXPECT_TRUE(cache.ready(0, c));
    EXPECT_TRUE(cache.ready(0, d));
    EXPECT_EQ(source->samples_read, 4u * 64 * 64);
}

TEST(TileCache, LoadsBesideWhatIsAskedFor) {
    TileCache cache(places(), 100 * tile_bytes, 2);
    const SampleRegion region{100, 100, 200, 150};
    EXPECT_FALSE(cache.ready(0, region));
    cache.ask(0, region);
    EXPECT_TRUE(becomes_ready(cache, region));
    expect_right(cache, region);
}

TEST(TileCache, ForgetsWhatHasNotBegun) {
    std::atomic<bool> open = false;
    const auto source = std::make_shared<FormulaTiles>(
        6400, 64,
        [&](int64_t x, int64_t y) {
            while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return place(x, y);
        },
        64);
    TileCache cache(source, 100 * tile_bytes, 1);
    cache.ask(0, {0, 0, 3200, 64});
    cache.forget_asked();
    open = true;
    expect_right(cache, {6000, 0, 100, 64});
    EXPECT_LE(source->samples_read, 4u * 64 * 64);  // perhaps one was under way
}

TEST(TileCache, ServesManyThreads) {
    TileCache cache(places(), 6 * tile_bytes, 3);
    std::vector<std::jthread> readers;
    for (int k = 0; k < 6; ++k)
        readers.emplace_back([&cache, k] {
            Random random(uint64_t(10 + k));
            for (int n = 0; n < 60; ++n) {
                if (n % 3 == 0) cache.ask(0, random_region(random, 700, 500));
                if (n % 7 == 0) cache.forget_asked();
                expect_right(cache, random_region(random, 700, 500));
            }
        });
    readers.clear();
    EXPECT_LE(cache.most_bytes(), (6 + 6 + 3) * tile_bytes);
}

// A source whose tile (1, 2) is damaged until it is mended.
class Damaged final : public TileSource {
public:
    const ImageInfo& info() const override { return whole_->info(); }
    int tile() const override { return 64; }
    Extent level_extent(int level) const override { return whole_->level_extent(level); }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        ++reads;
        if (!mended && region.x == 64 && region.y == 128) throw Error("field.tif: its LZW stream ends early");
        whole_->read(level, region, to, row_bytes);
    }
    std::atomic<bool> mended = false;
    mutable std::atomic<int> reads = 0;

private:
    std::shared_ptr<FormulaTiles> whole_ = places();
};

TEST(TileCache, NamesATileThatCannotBeReadAndServesTheOthers) {
    const auto source = std::make_shared<Damaged>();
    TileCache cache(source, 100 * tile_bytes, 2);
    try {
        read(cache, {100, 100, 100, 100});
        FAIL() << "a damaged tile was read";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("(64, 128)"));
        EXPECT_THAT(error.what(), testing::HasSubstr("its LZW stream ends early"));
    }
    expect_right(cache, {200, 200, 100, 100});
    ASSERT_EQ(cache.failed().size(), 1u);
    EXPECT_EQ(cache.failed()[0].tile, (TileKey{0, 1, 2}));
    EXPECT_EQ(cache.failed()[0].region, (SampleRegion{64, 128, 64, 64}));
    EXPECT_FALSE(cache.ready(0, {64, 128, 1, 1}));

    source->mended = true;
    const int before = source->reads;
    EXPECT_THROW(read(cache, {64, 128, 1, 1}), Error);  // not tried again
    EXPECT_EQ(source->reads, before);
    cache.forget_failed();
    EXPECT_TRUE(cache.failed().empty());
    expect_right(cache, {64, 128, 10, 10});
}

TEST(TileCache, RefusesRegionsOutsideAndNoSource) {
    EXPECT_THROW(TileCache(nullptr, 100), Error);
    TileCache cache(places(), tile_bytes);
    EXPECT_THROW(read(cache, {650, 0, 51, 1}), Error);
    EXPECT_THROW(cache.ask(0, {-1, 0, 5, 1}), Error);
    EXPECT_THROW(cache.ready(1, {0, 0, 5, 1}), Error);
}

// The budget of bytes, by counting everything that the program allocates.

constexpr size_t mebibyte = size_t(1) << 20;

class TiledMemory : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!counts_allocations()) GTEST_SKIP() << "a sanitizer's allocator is not counted";
    }

    // What rendering takes at most, of the host; on CUDA with what the backend takes of the device.
    size_t most_taken(const RenderRequest& request, int side, size_t memory) {
        const size_t before = allocated(), device_before = backend_->memory().taken();
        forget_most_allocated();
        TiledImage tiled(backend_, plate(side), {.memory = memory});
        int rows = 0;
        tiled.render(request, RenderTarget::Format::floats, [&](const Image& band, int) { rows += band.height(); });
        EXPECT_EQ(rows, request.height);
        const bool on_cuda = GetParam() == BackendKind::cuda;
        return most_allocated() - before + (on_cuda ? backend_->memory().taken() - device_before : 0);
    }

    static std::shared_ptr<FormulaTiles> plate(int side) {
        return std::make_shared<FormulaTiles>(
            side, side, [side](int64_t x, int64_t y) { return float((x * 7 + y * 13) % side) / float(side); }, 256);
    }

    static RenderRequest resizing(int side, const char* spec, int width, int height) {
        return resize_request(ImageInfo{side, side, 1, SampleType::f32, Alpha::none, nullptr}, spec_of(spec), width,
                              height);
    }
};

// 36 to 100 MB of samples, by levels of the pyramid that would take a third of that, to few pixels and to many.
TEST_P(TiledMemory, StaysWithinItsBudget) {
    for (const size_t memory : {32 * mebibyte, 64 * mebibyte}) {
        EXPECT_LE(most_taken(resizing(3000, "bspline", 3000, 375), 3000, memory), memory);
        EXPECT_LE(most_taken(resizing(5000, "lanczos3", 300, 350), 5000, memory), memory);
        EXPECT_LE(most_taken(resizing(4000, "quintic", 20000, 40), 4000, memory), memory);
        RenderRequest rotated = resizing(4000, "omoms", 500, 400);
        rotated.positions.reset();
        rotated.view = {100, -300, 5, 30};
        rotated.antialias = true;
        EXPECT_LE(most_taken(rotated, 4000, memory), memory);
    }
}

// Without antialiasing the pixels lie far apart: only what they read is read.
TEST_P(TiledMemory, FarApartPixelsReadLittle) {
    const auto source = std::make_shared<FormulaTiles>(
        1 << 23, 1 << 23, [](int64_t x, int64_t y) { return float((x + y) & 1023) / 1024; }, 64);
    TiledImage tiled(backend_, source, {.memory = 32 * mebibyte});
    RenderRequest request = request_of(spec_of("bspline"), 12, 10);
    request.view.scale = 500000;
    request.spec.address = {AddressMode::wrap, AddressMode::mirror};
    EXPECT_EQ(tiled.render_to_image(request).width(), 12);
    EXPECT_LE(source->samples_read, size_t(12 * 10 * 9 * 64 * 64));
}

// An hour's worth of looking around, in short.
TEST_P(TiledMemory, DoesNotGrow) {
    TiledImage tiled(backend_, plate(20000), {.memory = 32 * mebibyte});
    Random random(40);
    const auto look_around = [&](int views) {
        for (int k = 0; k < views; ++k) {
            RenderRequest request = request_of(spec_of(k % 2 ? "bspline:address=wrap" : "lanczos2"), 100, 80);
            request.view.scale = random.between(0.2, 12);
            request.view.rotate = random.between(0, 90);
            request.view.translate_x = random.between(-30000, 30000);
            request.view.translate_y = random.between(-30000, 30000);
            request.antialias = true;
            tiled.render_to_image(request);
        }
    };
    look_around(20);
    const size_t before = allocated();
    look_around(30);
    constexpr size_t driver = 8 * mebibyte;  // what CUDA's own tables grow by meanwhile
    EXPECT_LE(allocated(), std::max(before, 32 * mebibyte) + driver);
}

ON_EVERY_BACKEND(TiledMemory);

class SlowTiledMemory : public TiledMemory {};

TEST_P(SlowTiledMemory, StaysWithinItsBudgetForTheLargestPictures) {
    EXPECT_LE(most_taken(resizing(20000, "lanczos3", 300, 300), 20000, 64 * mebibyte), 64 * mebibyte);
}

ON_EVERY_BACKEND(SlowTiledMemory);

}  // namespace
}  // namespace texelscope::test
