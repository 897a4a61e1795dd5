// The levels of images that are not in memory, and sketches.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <list>
#include <map>

#include "gpu/backend/source_image.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tiled_image.h"
#include "gpu/tiles/tiled_levels.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// The pyramid of an image that is not in memory: bit for bit that of a resident image.

class TiledPyramid : public OnBackend {
protected:
    std::shared_ptr<const ResidentImage> resident_level(Level level, const AddressPair& address,
                                                        const std::shared_ptr<const ResidentImage>& samples) {
        if (level == Level{}) return samples;
        const Level finer = before(level);
        return backend_->reduce(*resident_level(finer, address, samples), address_on(finer, address),
                                last_step_to(level));
    }
    Image read_back(const ResidentImage& image) {
        Resampling whole;
        whole.spec = spec_of("nearest");
        whole.width = image.width();
        whole.height = image.height();
        Image result(whole.width, whole.height, image.channels(), SampleType::f32);
        const auto memory = backend_->allocate(result.size_bytes());
        backend_->resample(image, whole, {memory.get(), result.row_bytes(), RenderTarget::Format::floats});
        backend_->read_back(result.data(), memory.get(), result.size_bytes());
        return result;
    }
};

AxisRegion all_samples(int n) { return {0, n, true}; }

TEST_P(TiledPyramid, IsBitForBitThatOfAResidentImage) {
    Random random(5);
    for (int k = 0; k < 60; ++k) {
        const int width = random.integer(1, 500), height = random.integer(1, 400), channels = random.integer(1, 4);
        const SampleType type =
            random.pick(std::array{SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32});
        const Alpha alpha = channels % 2 == 0 && random.chance(0.5) ? Alpha::straight : Alpha::none;
        const auto image =
            std::make_shared<const Image>(noise(width, height, channels, type, uint64_t(100 + k), alpha));
        const AddressPair address = random.pick(all_address_pairs());
        const Level level{random.integer(0, 3), random.integer(0, 3)};
        const auto cache = std::make_shared<TileCache>(std::make_shared<ImageTiles>(image, 1 << random.integer(4, 9)),
                                                       size_t(1) << 20, 1);
        // From tiles of 16 samples, up to those that hold the level whole.
        TiledLevels levels(backend_, cache, Light::stored, size_t(1) << random.integer(10, 22),
                           size_t(1) << random.integer(10, 26));
        const Extent size = levels.extent(level);
        const Image got = levels.region(level, address, all_samples(size.width), all_samples(size.height));
        const Image expected = read_back(*resident_level(level, address, backend_->upload(*image)));
        ASSERT_EQ(got.width(), expected.width());
        ASSERT_EQ(got.height(), expected.height());
        if (level == Level{}) continue;
        ASSERT_EQ(got.size_bytes(), expected.size_bytes());
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x)
                for (int c = 0; c < channels; ++c) {
                    const float a = got.value(x, y, c), b = expected.value(x, y, c);
                    ASSERT_EQ(std::memcmp(&a, &b, sizeof(float)), 0)
                        << width << "×" << height << "×" << channels << " " << name_of(type) << " level " << level.x
                        << ", " << level.y << " " << to_string(address) << " tiles of " << levels.tile() << " at " << x
                        << ", " << y << ": " << a << " for " << b;
                }
    }
}

TEST_P(TiledPyramid, RegionsOfALevelAreExtendedLikeIt) {
    Random random(6);
    const auto image = std::make_shared<const Image>(noise(333, 251, 3, SampleType::u8, 7));
    const auto cache = std::make_shared<TileCache>(std::make_shared<ImageTiles>(image, 64), size_t(1) << 20, 1);
    for (const AddressPair& address : all_address_pairs()) {
        TiledLevels levels(backend_, cache, Light::linear, size_t(1) << 20, size_t(1) << 18);
        const Level level{1, 2};
        const Extent size = levels.extent(level);
        const Image whole = levels.region(level, address, all_samples(size.width), all_samples(size.height));
        const AddressPair on_level = address_on(level, address);
        const AxisRegion x{random.integer(-200, 200), random.integer(1, size.width - 1)},
            y{random.integer(-200, 200), random.integer(1, size.height - 1)};
        const Image part = levels.region(level, address, x, y);
        for (int j = 0; j < part.height(); ++j)
            for (int i = 0; i < part.width(); ++i) {
                const int column = addressed(on_level.x, int(x.first) + i, size.width),
                          row = addressed(on_level.y, int(y.first) + j, size.height);
                ASSERT_EQ(part.value(i, j, 1), column < 0 || row < 0 ? 0 : whole.value(column, row, 1));
            }
    }
}

TEST_P(TiledPyramid, EndsWhenItIsStopped) {
    const auto image = std::make_shared<const Image>(noise(100, 100, 1, SampleType::u8, 8));
    const auto cache = std::make_shared<TileCache>(std::make_shared<ImageTiles>(image, 64), size_t(1) << 20, 1);
    TiledLevels levels(backend_, cache, Light::stored, 1 << 20, 1 << 20);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(levels.region({1, 1}, {}, all_samples(50), all_samples(50), stop.get_token()), Cancelled);
}

ON_EVERY_BACKEND(TiledPyramid);

// Levels with a store behind them: the same values, and nothing is made twice.

AxisRegion whole_axis(int n) { return {0, n, true}; }

// In memory. Where it has nothing, it leaves rubbish.
class Store final : public LevelStore {
public:
    bool find(const LevelKind& kind, int64_t column, int64_t row, Image& samples) override {
        const Tiles& tiles = tiles_of(kind);
        if (const auto at = tiles.find({column, row}); at != tiles.end()) {
            if (at->second.size_bytes() != samples.size_bytes()) throw Error("a tile of another size is wanted");
            std::memcpy(samples.data(), at->second.data(), samples.size_bytes());
            ++found;
            return true;
        }
        std::memset(samples.data(), 0x5a, samples.size_bytes());
        return false;
    }
    void put(const LevelKind& kind, int64_t column, int64_t row, const Image& samples) override {
        ++made;
        if (forgetful) return;
        const bool is_new = tiles_of(kind).emplace(std::pair(column, row), samples).second;
        EXPECT_TRUE(is_new) << "made again";
    }

    int found = 0, made = 0;
    bool forgetful = false;

private:
    using Tiles = std::map<std::pair<int64_t, int64_t>, Image>;

    Tiles& tiles_of(const LevelKind& kind) {
        for (auto& [other, tiles] : kinds_)
            if (other == kind) return tiles;
        return kinds_.emplace_back(kind, Tiles()).second;
    }

    std::list<std::pair<LevelKind, Tiles>> kinds_;
};

// Counts what is read of an image.
class CountedTiles final : public TileSource {
public:
    explicit CountedTiles(std::shared_ptr<const Image> image) : tiles_(std::move(image), 64) {}
    const ImageInfo& info() const override { return tiles_.info(); }
    int tile() const override { return tiles_.tile(); }
    Extent level_extent(int level) const override { return tiles_.level_extent(level); }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        ++reads;
        tiles_.read(level, region, to, row_bytes);
    }
    mutable std::atomic<int> reads = 0;

private:
    ImageTiles tiles_;
};

class StoredLevels : public OnBackend {
protected:
    struct Opened {
        std::shared_ptr<CountedTiles> source;
        TiledLevels levels;
    };
    Opened opened(const std::shared_ptr<const Image>& image, const std::shared_ptr<LevelStore>& store,
                  Light light = Light::stored, size_t kept_bytes = size_t(1) << 22,
                  size_t working_bytes = size_t(1) << 20) {  // tiles of 32 to 64 samples
        auto source = std::make_shared<CountedTiles>(image);
        auto cache = std::make_shared<TileCache>(source, size_t(1) << 22, 0);
        return {source, TiledLevels(backend_, cache, light, kept_bytes, working_bytes, store)};
    }
    static Image whole(TiledLevels& levels, Level level, const AddressPair& address = {}) {
        const Extent size = levels.extent(level);
        return levels.region(level, address, whole_axis(size.width), whole_axis(size.height));
    }
    static bool same(const Image& a, const Image& b) {
        return a.width() == b.width() && a.height() == b.height() && a.alpha() == b.alpha() &&
               a.size_bytes() == b.size_bytes() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
    }
};

TEST_P(StoredLevels, ASecondOpeningReadsNothingOfTheImage) {
    const auto image = std::make_shared<const Image>(noise(470, 390, 3, SampleType::u8, 3));
    const auto store = std::make_shared<Store>();
    for (const Level level : {Level{2, 2}, Level{3, 1}, Level{1, 0}}) {
        Opened without = opened(image, nullptr), first = opened(image, store);
        const Image expected = whole(without.levels, level);
        EXPECT_TRUE(same(whole(first.levels, level), expected));
        const int made = store->made;
        EXPECT_GT(made, 3);
        Opened second = opened(image, store);
        EXPECT_TRUE(same(whole(second.levels, level), expected));
        EXPECT_EQ(second.source->reads, 0);
        EXPECT_EQ(store->made, made);
    }
}

// What does not fit in memory comes from the store: each tile is made once, however often all of it is looked at.
TEST_P(StoredLevels, NothingIsMadeTwiceInOneOpening) {
    const auto image = std::make_shared<const Image>(noise(500, 400, 1, SampleType::u16, 4));
    const auto store = std::make_shared<Store>();
    Opened tiled = opened(image, store, Light::stored, size_t(1) << 16);
    const Image once = whole(tiled.levels, {1, 1});
    const int reads = tiled.source->reads, made = store->made;
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(same(whole(tiled.levels, {1, 1}), once));
    EXPECT_EQ(tiled.source->reads, reads);
    EXPECT_EQ(store->made, made);
    EXPECT_GT(store->found, 0);
}

// One store for an image in all lights, address modes, border values, levels and sizes of tiles.
TEST_P(StoredLevels, KindsAreNotMixedUp) {
    Random random(9);
    const auto image = std::make_shared<const Image>(noise(150, 130, 4, SampleType::u8, 11, Alpha::straight));
    const auto store = std::make_shared<Store>();
    const std::vector<AddressPair> few = {{AddressMode::clamp, AddressMode::clamp},
                                          {AddressMode::border, AddressMode::wrap},
                                          {AddressMode::mirror, AddressMode::border}};
    for (int k = 0; k < 30; ++k) {
        AddressPair address = random.pick(few);
        if (random.chance(0.5)) address.border = {{random.chance(0.5) ? 0.25f : 0.5f, 1}, 1 + random.integer(0, 1)};
        const Light light = random.chance(0.5) ? Light::stored : Light::linear;
        const Level level{random.integer(0, 2), random.integer(1, 2)};
        const size_t working = size_t(1) << random.integer(20, 22);  // tiles of 32 to 128 samples
        Opened with = opened(image, store, light, 1 << 20, working),
               without = opened(image, nullptr, light, 1 << 20, working);
        ASSERT_TRUE(same(whole(with.levels, level, address), whole(without.levels, level, address)))
            << to_string(address) << " level " << level.x << ", " << level.y;
    }
    EXPECT_GT(store->found, 5);
}

TEST_P(StoredLevels, AStoreThatKeepsNothingChangesNothing) {
    const auto image = std::make_shared<const Image>(noise(400, 300, 2, SampleType::f16, 5));
    const auto store = std::make_shared<Store>();
    store->forgetful = true;
    Opened with = opened(image, store), without = opened(image, nullptr);
    for (const AxisRegion x : {AxisRegion{-20, 130}, AxisRegion{100, 60}, AxisRegion{3, 9}})
        EXPECT_TRUE(
            same(with.levels.region({1, 1}, {}, x, {17, 180}), without.levels.region({1, 1}, {}, x, {17, 180})));
    EXPECT_EQ(store->found, 0);
    EXPECT_EQ(with.source->reads, without.source->reads);
}

TEST_P(StoredLevels, AnImageOfAnotherOpeningRendersTheSame) {
    const auto image = std::make_shared<const Image>(noise(900, 800, 3, SampleType::u8, 6));
    const auto store = std::make_shared<Store>();
    const RenderRequest request =
        resize_request({900, 800, 3, SampleType::u8, Alpha::none, nullptr}, spec_of("lanczos3"), 45, 40);
    const Image resident = SourceImage(backend_, image).render_to_image(request);
    std::vector<Image> tiled;
    for (int k = 0; k < 2; ++k) {
        const auto source = std::make_shared<CountedTiles>(image);
        tiled.push_back(TiledImage(backend_, source, {.levels = store}).render_to_image(request));
        EXPECT_EQ(source->reads > 0, k == 0);
    }
    EXPECT_TRUE(same(tiled[0], tiled[1]));
    ASSERT_EQ(tiled[1].width(), resident.width());
    for (int y = 0; y < resident.height(); ++y)
        for (int x = 0; x < resident.width(); ++x)
            for (int c = 0; c < 3; ++c) ASSERT_NEAR(tiled[1].value(x, y, c), resident.value(x, y, c), 2e-6);
}

// It is that of what is computed: the same again, another one for what has other levels.
TEST_P(StoredLevels, AMakerIsKnownByWhatItMakes) {
    const ImageInfo bytes{1000, 1000, 3, SampleType::u8, Alpha::none, nullptr};
    ImageInfo larger = bytes, grey = bytes, plain = bytes, alpha = bytes;
    larger.width = 90000;
    grey.channels = 1;
    plain.channels = alpha.channels = 4;
    alpha.alpha = Alpha::straight;
    const auto maker = [&](const ImageInfo& info, Light light = Light::stored) {
        return level_maker(backend_, info, light);
    };
    EXPECT_EQ(maker(bytes), maker(bytes));
    EXPECT_EQ(maker(bytes), maker(larger));
    EXPECT_NE(maker(bytes), maker(bytes, Light::linear));
    EXPECT_NE(maker(bytes), maker(grey));
    EXPECT_NE(maker(plain), maker(alpha));
    if (GetParam() == BackendKind::cuda) {
        EXPECT_NE(maker(bytes), level_maker(shared_backend(BackendKind::cpu), bytes, Light::stored));
    }
}

ON_EVERY_BACKEND(StoredLevels);

// Sketches: what is shown of an image until its samples have been read.

constexpr int tile = 512;
constexpr double most = 0x1p24;

// Across the image, from 0 to 1.
std::shared_ptr<FormulaTiles> ramp(int width, int height) {
    return std::make_shared<FormulaTiles>(
        width, height, [width](int64_t x, int64_t) { return float((double(x) + 0.5) / width); }, tile);
}

// Ten gigasamples in tiles, without smaller images: few tiles must be enough.
TEST(Sketches, OfAnImageThatIsOnlyReadInTilesTakeFewOfThem) {
    const auto source = ramp(100000, 100000);
    const SketchPlan plan = affordable(*source, sketch_of_all(source->info(), 192), most);
    EXPECT_GE(plan.width, 8);
    EXPECT_EQ(plan.width, plan.height);
    TileCache tiles(source, size_t(64) << 20);
    const Image cells = sketched(tiles, Light::stored, plan, true);
    EXPECT_LE(double(source->samples_read), most);
    for (int y = 0; y < cells.height(); ++y)
        for (int x = 0; x < cells.width(); ++x)  // the tile is somewhere around the cell's middle
            EXPECT_NEAR(double(cells.row_as<float>(y)[x]), (x + 0.5) / cells.width(), double(tile) / 100000);
}

// A long image keeps its shape, and a small one all of its cells: those are exact means.
TEST(Sketches, AreAsFineAsTheyMayCost) {
    const auto strip = ramp(400000, 3000);
    const SketchPlan of_strip = affordable(*strip, sketch_of_all(strip->info(), 192), most);
    EXPECT_GT(of_strip.width, 20);
    EXPECT_LE(cost_of_sketch(*strip, of_strip, true), most);

    const auto small = ramp(1920, 960);
    const SketchPlan plan = sketch_of_all(small->info(), 192);
    EXPECT_EQ(affordable(*small, plan, most), plan);
    TileCache tiles(small, size_t(64) << 20);
    const Image cells = sketched(tiles, Light::stored, plan, true);
    for (int x = 0; x < 192; ++x) EXPECT_NEAR(double(cells.row_as<float>(40)[x]), (x + 0.5) / 192, 1e-6);
}

}  // namespace
}  // namespace texelscope::test
