// Live views over time: levels, references, memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "gpu/core/quantile.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/timing.h"
#include "gpu/tiles/live_regions.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tools.h"
#include "tests/tiles/live_views.h"

namespace texelscope::test {
namespace {

// Live regions with a store of levels: what was made is not made again, and nothing is kept of what could not be read.

constexpr int width = 3000, height = 2500;

// In memory.
class MemoryStore final : public LevelStore {
public:
    bool find(const LevelKind& kind, int64_t column, int64_t row, Image& samples) override {
        const std::lock_guard lock(mutex_);
        const auto at = tiles_.find({kind.level.x, column, row});
        if (at == tiles_.end() || at->second.width() != samples.width() || at->second.height() != samples.height())
            return false;
        samples = at->second;
        ++found;
        return true;
    }
    void put(const LevelKind& kind, int64_t column, int64_t row, const Image& samples) override {
        const std::lock_guard lock(mutex_);
        tiles_.insert_or_assign({kind.level.x, column, row}, samples);
        ++taken;
    }
    std::atomic<int> found = 0, taken = 0;

private:
    std::mutex mutex_;
    std::map<std::tuple<int, int64_t, int64_t>, Image> tiles_;
};

class DamagedTiles final : public TileSource {
public:
    explicit DamagedTiles(std::shared_ptr<const Image> image) : whole_(std::move(image), 256) {}
    const ImageInfo& info() const override { return whole_.info(); }
    int tile() const override { return whole_.tile(); }
    Extent level_extent(int level) const override { return whole_.level_extent(level); }
    void read(int, const SampleRegion&, std::byte*, size_t) const override {
        throw FileError("scan.tif", "a strip ends early");
    }

private:
    ImageTiles whole_;
};

class LiveLevels : public OnBackend {
protected:
    // The whole image, shrunk so much that levels are read.
    Image shown(std::shared_ptr<const TileSource> tiles, const std::shared_ptr<LevelStore>& store) {
        const auto regions = std::make_shared<LiveRegions>(backend_, std::move(tiles),
                                                           LiveOptions{.memory = least_live_memory, .levels = store});
        SourceImage source(backend_, regions);
        RenderRequest request = request_of(spec_of("bilinear"), 100, 80);
        request.antialias = true;
        request.view.scale = 30;
        Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
        const auto memory = backend_->allocate(image.size_bytes());
        const RenderTarget target{memory.get(), image.row_bytes(), RenderTarget::Format::rgba8, no_timer};
        for (const StopWatch watch; !source.render(request, target, ToCome::stand_in);) {
            if (watch.ms() > 60000) {
                ADD_FAILURE() << "the picture never became the right one";
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        backend_->read_back(image.data(), memory.get(), image.size_bytes());
        return image;
    }
    const std::shared_ptr<const Image> image_ =
        std::make_shared<const Image>(noise(width, height, 1, SampleType::u8, 41));
};

TEST_P(LiveLevels, AreFoundByTheNextOpening) {
    const auto store = std::make_shared<MemoryStore>();
    const Image first = shown(std::make_shared<ImageTiles>(image_), store);
    const int taken = store->taken;
    EXPECT_GT(taken, 0);
    EXPECT_EQ(store->found, 0);
    const Image second = shown(std::make_shared<ImageTiles>(image_), store);
    EXPECT_GT(store->found, 0);
    EXPECT_EQ(store->taken, taken) << "nothing was made again";
    const Image without = shown(std::make_shared<ImageTiles>(image_), nullptr);
    for (int y = 0; y < first.height(); ++y)
        for (int x = 0; x < first.width(); ++x) {
            ASSERT_EQ(second.value(x, y, 0), first.value(x, y, 0));
            ASSERT_EQ(without.value(x, y, 0), first.value(x, y, 0));
        }
}

TEST_P(LiveLevels, OfHatchedSamplesAreNotKept) {
    const auto store = std::make_shared<MemoryStore>();
    shown(std::make_shared<DamagedTiles>(image_), store);
    EXPECT_EQ(store->taken, 0);
}

ON_EVERY_BACKEND(LiveLevels);

// References in float64 of live views, computed beside them.

// What has come of it now; empty: nothing.
std::vector<double> reference_now(SourceImage& source, const RenderRequest& request) {
    std::vector<double> values(size_t(request.width) * size_t(request.height) * size_t(source.samples().channels()));
    Backend& backend = source.backend();
    const auto memory = backend.allocate(values.size() * sizeof(double));
    if (!source.render_reference(request, static_cast<double*>(memory.get()), ToCome::stand_in)) return {};
    backend.read_back(values.data(), memory.get(), values.size() * sizeof(double));
    return values;
}

std::vector<double> final_reference(SourceImage& source, const RenderRequest& request) {
    const StopWatch watch;
    while (watch.ms() < patience_ms) {
        std::vector<double> values = reference_now(source, request);
        if (!values.empty()) return values;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "the reference never came";
    return {};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return INFINITY;
    double largest = 0;
    for (size_t k = 0; k < a.size(); ++k)
        if (!std::isnan(a[k]) || !std::isnan(b[k])) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
}

class LiveReferences : public LiveViews {};

// As through regions that wait: both to what tests/tiles/test_tiled_reference.cpp allows.
TEST_P(LiveReferences, AreThoseOfTheResidentImage) {
    constexpr double without_level = 1e-12, of_level = 4 * 0x1p-22;
    const auto image = picture(900, 800);
    const auto tiles = std::make_shared<ImageTiles>(image, 64);
    SourceImage resident(backend_, image), source = live(tiles),
                                           waiting(backend_, std::make_shared<TiledRegions>(backend_, tiles));
    for (const char* spec : {"bilinear", "bspline", "quintic", "lanczos3:address=mirror"})
        for (const double scale : {0.4, 1.7, 20.0})
            for (const Outside outside : {Outside::background, Outside::nan}) {
                RenderRequest request = request_of(spec_of(spec), 90, 1030);
                request.view.scale = scale;
                request.antialias = true;
                request.outside = outside;
                const bool level = resident.plan(request).reading.level != Level{};
                const double allowed = level ? of_level : without_level;
                const auto expected = reference_values(resident, request);
                ASSERT_LE(largest_difference(final_reference(source, request), expected), allowed) << spec << scale;
                ASSERT_LE(largest_difference(reference_values(source, request), expected), allowed) << spec << scale;
                ASSERT_LE(largest_difference(reference_values(waiting, request), expected), allowed) << spec << scale;
                regions_->next_turn();
            }
}

TEST_P(LiveReferences, ThatNobodyLooksAtAreNotComputed) {
    const auto image = picture(900, 800);
    const auto tiles = std::make_shared<GatedTiles>(image, 64);
    SourceImage source = live(tiles);
    let_all_come();
    tiles->open(false);
    RenderRequest request = request_of(spec_of("bspline"), 50, 40);
    for (int k = 0; k < 30; ++k) {
        request.view.translate_x = 3.0 * k;
        EXPECT_TRUE(reference_now(source, request).empty());
        regions_->next_turn();
        EXPECT_LE(regions_->coming(), 2u) << "this one, and the one that ends";
    }
    EXPECT_EQ(regions_->find_reference(source.plan(request)), nullptr);
    const auto memory = backend_->allocate(50 * 40 * 4 * sizeof(double));
    EXPECT_FALSE(source.render_reference(request, static_cast<double*>(memory.get())));
    tiles->open(true);
    const auto values = final_reference(source, request);
    ASSERT_TRUE(regions_->find_reference(source.plan(request)));
    EXPECT_EQ(*regions_->find_reference(source.plan(request)), values);
}

ON_EVERY_BACKEND(LiveReferences);

// Hours' worth of moving about in an image that is not in memory: nothing grows.

constexpr int image_side = 100000, view_width = 320, view_height = 200;

class LiveSoakSlow : public OnBackend {};

// Cheap, so that there are many of them in a minute.
float texture(int64_t x, int64_t y) { return float(((x * 7 + y * 13) ^ (x >> 5)) & 255) / 255; }

TEST_P(LiveSoakSlow, HoursOfPansAndZoomsTakeNoMoreMemory) {
    constexpr int hour = 3600, steps = 3 * hour;  // one for each second
    constexpr size_t memory = size_t(128) << 20, growth = size_t(4) << 20;
    constexpr double patience_ms = 20000;
    LiveRegions regions(backend_, std::make_shared<FormulaTiles>(image_side, image_side, texture), {memory});
    const auto pixels = backend_->allocate(size_t(view_width) * view_height * 4);
    const RenderTarget target{pixels.get(), size_t(view_width) * 4, RenderTarget::Format::rgba8, no_timer};
    constexpr std::array methods = {"bspline", "bilinear", "lanczos3", "nearest"};
    Random random(77);
    View view;
    std::array<std::vector<double>, 3> in_use;  // in each hour: it goes up and down with the regions, so medians count
    size_t most_resident = 0;
    int right = 0, waited = 0;
    for (int k = 0; k < steps; ++k) {
        const double half = image_side / 2.0;
        if (random.chance(0.02)) {  // somewhere else
            view.translate_x = random.between(-half, half);
            view.translate_y = random.between(-half, half);
        }
        if (random.chance(0.1)) view.scale = std::exp2(random.between(-4, 3));
        if (random.chance(0.05)) view.rotate = random.chance(0.5) ? 0 : random.between(0, 360);
        view.translate_x = std::clamp(view.translate_x + random.between(-60, 60) * view.scale, -half, half);
        view.translate_y = std::clamp(view.translate_y + random.between(-60, 60) * view.scale, -half, half);
        RenderRequest request = request_of(spec_of(methods[size_t(k / 200) % methods.size()]), view_width, view_height);
        request.antialias = true;
        request.outside = Outside::background;
        request.positions = sampling_affine(view, image_side, image_side, view_width, view_height);
        const PlannedRequest plan = planned(request, {image_side, image_side, false}, regions.light());
        const bool waits = k % 20 == 0;  // the user looks
        waited += waits;
        const StopWatch watch;
        bool is_right = false;
        do {
            regions.next_turn();
            is_right = regions.render_at_hand(plan, target);
            backend_->synchronize();
        } while (waits && !is_right && watch.ms() < patience_ms);
        right += waits && is_right;
        if (waits && !is_right)
            ADD_FAILURE() << "view " << k << " by " << methods[size_t(k / 200) % methods.size()] << " at "
                          << view.translate_x << ", " << view.translate_y << ", scale " << view.scale << ", turned by "
                          << view.rotate << ", did not become right; " << regions.coming() << " parts to come";
        ASSERT_FALSE(regions.take_problem());
        ASSERT_LE(regions.bytes(), memory);
        if (k % 20 == 10) {
            in_use[size_t(k / hour)].push_back(double(allocated()));
            most_resident = std::max(most_resident, status_bytes("RssAnon"));
        }
    }
    EXPECT_EQ(right, waited);
    EXPECT_LE(regions.most_bytes(), memory);
    // The system counts blocks that were freed, too: malloc() keeps them, more or fewer by the order in which threads allocate.
    if (GetParam() == BackendKind::cpu) {
        EXPECT_LE(most_resident, 2 * memory);
    }
    if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has an allocator of its own";
    for (std::vector<double>& each : in_use) std::sort(each.begin(), each.end());
    EXPECT_LT(quantile(in_use[2], 0.5), quantile(in_use[0], 0.5) + growth);
}

ON_EVERY_BACKEND(LiveSoakSlow);

}  // namespace
}  // namespace texelscope::test
