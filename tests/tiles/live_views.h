#pragma once
// Live views of images that are not in memory, and tiles that come when a test says so.

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/live_regions.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {

inline constexpr double patience_ms = 60000;

// Tiles that are handed out only while the gate is open, and counted; `smaller`: another image of the file, always there.
class GatedTiles final : public TileSource {
public:
    GatedTiles(std::shared_ptr<const Image> image, int tile, const std::shared_ptr<const Image>& smaller = nullptr)
        : whole_(std::move(image), tile) {
        if (smaller) smaller_.emplace(smaller, tile);
    }
    const ImageInfo& info() const override { return whole_.info(); }
    int tile() const override { return whole_.tile(); }
    int levels() const override { return smaller_ ? 2 : 1; }
    Extent level_extent(int level) const override { return (level > 0 ? *smaller_ : whole_).level_extent(0); }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        if (level > 0) return smaller_->read(0, region, to, row_bytes);
        {
            std::unique_lock lock(mutex_);
            opened_.wait(lock, [&] { return open_; });
            ++reads_;
            if (region.x >= bad_from_) throw FileError("scan.tif", "a strip ends early");
        }
        whole_.read(level, region, to, row_bytes);
    }
    void open(bool yes) {
        {
            const std::lock_guard lock(mutex_);
            open_ = yes;
        }
        opened_.notify_all();
    }
    void damage_from(int64_t x) { bad_from_ = x; }
    int reads() const {
        const std::lock_guard lock(mutex_);
        return reads_;
    }

private:
    ImageTiles whole_;
    std::optional<ImageTiles> smaller_;
    mutable std::mutex mutex_;
    mutable std::condition_variable opened_;
    bool open_ = true;
    mutable int reads_ = 0;
    int64_t bad_from_ = INT64_MAX;
};

class LiveViews : public OnBackend {
protected:
    SourceImage live(std::shared_ptr<const TileSource> tiles, const LiveOptions& options = {least_live_memory}) {
        regions_ = std::make_shared<LiveRegions>(backend_, std::move(tiles), options);
        return SourceImage(backend_, regions_);
    }
    // Waits for what was asked for, and for the sketch, which a look at what there is begins.
    void let_all_come() {
        while (regions_->coming() > 0) {
            regions_->shows_anything();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    std::shared_ptr<LiveRegions> regions_;
};

inline std::shared_ptr<const Image> picture(int width, int height, int channels = 3, uint64_t seed = 21) {
    return std::make_shared<const Image>(noise(width, height, channels, SampleType::u8, seed));
}

// Counts all memory of this test program that malloc() gives, in every thread: by taking malloc's place.

// False in builds with a sanitizer, which has an allocator of its own.
bool counts_allocations();

// Bytes in use now; the maximum since the last call of forget_most_allocated().
size_t allocated();
size_t most_allocated();
void forget_most_allocated();

}  // namespace texelscope::test
