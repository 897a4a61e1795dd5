// Live windows with a store of levels: what was made is not made again, and nothing is kept of what could not be read.

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

#include "gpu/core/stop_watch.h"
#include "gpu/tiles/image_tiles.h"
#include "gpu/tiles/live_windows.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

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
        const auto windows = std::make_shared<LiveWindows>(backend_, std::move(tiles),
                                                           LiveOptions{.memory = least_live_memory, .levels = store});
        SourceImage source(backend_, windows);
        RenderRequest request = request_of(spec_of("bilinear"), 100, 80);
        request.antialias = true;
        request.view.scale = 30;
        Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
        const auto memory = backend_->allocate(image.size_bytes());
        const RenderTarget target{memory.get(), image.row_bytes(), RenderTarget::Format::rgba8, no_timer};
        for (const StopWatch watch; !source.render_at_hand(source.plan(request), target);) {
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

}  // namespace
}  // namespace texelscope::test
