#include "gpu/tiles/tile_cache.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

struct TileCache::State {
    enum class TileState { asked, loading, ready, failed };
    struct Tile {
        TileState state = TileState::asked;
        std::shared_ptr<const SampleMemory> samples;
        size_t bytes = 0;
        std::string why;
        std::list<TileKey>::iterator use = {};  // if ready
    };

    std::shared_ptr<const TileSource> source;
    size_t limit = 0;
    mutable std::mutex mutex;
    std::condition_variable something_asked, something_loaded;
    std::map<TileKey, Tile> tiles;
    std::list<TileKey> uses;  // of tiles that are ready, the latest first
    std::deque<TileKey> queue;
    size_t bytes = 0, most_bytes = 0;
    double samples_loaded = 0;
    bool ending = false;
    std::vector<std::jthread> threads;

    size_t texel_bytes() const {
        const ImageInfo& info = source->info();
        return size_t(info.channels) * size_t(bytes_per_sample(info.type));
    }

    SampleRegion region_of(const TileKey& key) const {
        const Extent extent = source->level_extent(key.level);
        const int side = source->tile();
        const int64_t x = int64_t(key.column) * side, y = int64_t(key.row) * side;
        return {x, y, int(std::min<int64_t>(side, extent.width - x)), int(std::min<int64_t>(side, extent.height - y))};
    }

    template <class Visit> void for_tiles(int level, const SampleRegion& region, Visit visit) const {
        const int side = source->tile();
        for (int64_t row = region.y / side; row * side < region.y + region.height; ++row)
            for (int64_t column = region.x / side; column * side < region.x + region.width; ++column)
                visit(TileKey{level, int(column), int(row)});
    }

    // With the mutex held: makes room, as far as there is any to be made.
    void make_room(size_t wanted) {
        while (bytes + wanted > limit && !uses.empty()) {
            const auto oldest = tiles.find(uses.back());
            bytes -= oldest->second.bytes;
            uses.pop_back();
            tiles.erase(oldest);
        }
    }

    // With the mutex held, which is given up while the tile is read. What is not an Error of the source is thrown, and the
    // tile may be tried again.
    void load(std::unique_lock<std::mutex>& lock, const TileKey& key) {
        const SampleRegion region = region_of(key);
        const size_t row_bytes = size_t(region.width) * texel_bytes(), size = row_bytes * size_t(region.height);
        make_room(size);
        bytes += size;
        most_bytes = std::max(most_bytes, bytes);
        Tile& tile = tiles[key];  // stays where it is, and nobody else ends it while it is being loaded
        tile.state = TileState::loading;
        tile.bytes = size;
        lock.unlock();
        std::shared_ptr<const SampleMemory> samples;
        std::string why;
        std::exception_ptr other;
        try {
            SampleMemory memory(size);
            source->read(key.level, region, memory.data(), row_bytes);
            samples = std::make_shared<const SampleMemory>(std::move(memory));
        } catch (const OutOfMemory&) {
            other = std::current_exception();
        } catch (const Error& error) {
            why = fmt::format("the tile of {}×{} samples from ({}, {}) on{} cannot be read: {}", region.width,
                              region.height, region.x, region.y,
                              key.level > 0 ? fmt::format(" of level {}", key.level) : "", error.what());
        } catch (...) {
            other = std::current_exception();
        }
        lock.lock();
        samples_loaded += double(region.width) * region.height;
        if (samples) {
            tile.samples = std::move(samples);
            tile.state = TileState::ready;
            uses.push_front(key);
            tile.use = uses.begin();
        } else {
            bytes -= size;
            tile.bytes = 0;
            tile.state = TileState::failed;
            tile.why = why;
            if (other) tiles.erase(key);
        }
        something_loaded.notify_all();
        if (other) std::rethrow_exception(other);
    }

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            something_asked.wait(lock, [&] { return ending || !queue.empty(); });
            if (ending) return;
            const TileKey key = queue.front();
            queue.pop_front();
            const auto at = tiles.find(key);
            if (at == tiles.end() || at->second.state != State::TileState::asked) continue;
            try {
                load(lock, key);
            } catch (...) {}  // whoever reads the tile tries again, and is told
        }
    }

    // The tile's samples, once they are there.
    std::shared_ptr<const SampleMemory> samples_of(const TileKey& key) {
        std::unique_lock lock(mutex);
        for (;;) {
            const auto at = tiles.find(key);
            if (at == tiles.end() || at->second.state == State::TileState::asked) {
                load(lock, key);
                continue;
            }
            Tile& tile = at->second;
            if (tile.state == State::TileState::failed) throw Error(tile.why);
            if (tile.state == State::TileState::ready) {
                uses.splice(uses.begin(), uses, tile.use);
                return tile.samples;
            }
            something_loaded.wait(lock);
        }
    }
};

TileCache::TileCache(std::shared_ptr<const TileSource> source, size_t bytes, int threads)
    : state_(std::make_unique<State>()) {
    if (!source) throw Error("a cache of tiles needs a source: give it one");
    state_->source = std::move(source);
    state_->limit = bytes;
    for (int i = 0; i < threads; ++i) state_->threads.emplace_back([state = state_.get()] { state->run(); });
}

TileCache::~TileCache() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->ending = true;
    }
    state_->something_asked.notify_all();
    state_->threads.clear();
}

const TileSource& TileCache::source() const { return *state_->source; }

void TileCache::read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) {
    State& s = *state_;
    check_region(*s.source, level, region);
    ask(level, region);
    const size_t texel = s.texel_bytes();
    s.for_tiles(level, region, [&](const TileKey& key) {
        const auto samples = s.samples_of(key);
        const SampleRegion tile = s.region_of(key);
        const int64_t left = std::max(tile.x, region.x), right = std::min(tile.x + tile.width, region.x + region.width);
        const int64_t top = std::max(tile.y, region.y),
                      bottom = std::min(tile.y + tile.height, region.y + region.height);
        for (int64_t y = top; y < bottom; ++y)
            std::memcpy(to + size_t(y - region.y) * row_bytes + size_t(left - region.x) * texel,
                        samples->data() + (size_t(y - tile.y) * size_t(tile.width) + size_t(left - tile.x)) * texel,
                        size_t(right - left) * texel);
    });
}

bool TileCache::ready(int level, const SampleRegion& region) const {
    check_region(*state_->source, level, region);
    const std::lock_guard lock(state_->mutex);
    bool all = true;
    state_->for_tiles(level, region, [&](const TileKey& key) {
        const auto at = state_->tiles.find(key);
        all = all && at != state_->tiles.end() && at->second.state == State::TileState::ready;
    });
    return all;
}

// No more than half of the budget at a time, so that nothing goes before it has been read.
void TileCache::ask(int level, const SampleRegion& region) {
    State& s = *state_;
    check_region(*s.source, level, region);
    if (s.threads.empty()) return;
    const size_t side = size_t(s.source->tile()), tile_bytes = side * side * s.texel_bytes();
    const size_t most = std::max<size_t>(s.limit / 2 / tile_bytes, 1);
    {
        const std::lock_guard lock(s.mutex);
        s.for_tiles(level, region, [&](const TileKey& key) {
            if (s.queue.size() >= most) return;
            if (const auto [at, is_new] = s.tiles.try_emplace(key); is_new) s.queue.push_back(key);
        });
    }
    s.something_asked.notify_all();
}

void TileCache::forget_asked() {
    const std::lock_guard lock(state_->mutex);
    for (const TileKey& key : state_->queue)
        if (const auto at = state_->tiles.find(key);
            at != state_->tiles.end() && at->second.state == State::TileState::asked)
            state_->tiles.erase(at);
    state_->queue.clear();
}

std::vector<FailedTile> TileCache::failed() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<FailedTile> failed;
    for (const auto& [key, tile] : state_->tiles)
        if (tile.state == State::TileState::failed) failed.push_back({key, state_->region_of(key), tile.why});
    return failed;
}

void TileCache::forget_failed() {
    const std::lock_guard lock(state_->mutex);
    std::erase_if(state_->tiles, [](const auto& each) { return each.second.state == State::TileState::failed; });
}

double TileCache::samples_loaded() const {
    const std::lock_guard lock(state_->mutex);
    return state_->samples_loaded;
}

size_t TileCache::bytes() const {
    const std::lock_guard lock(state_->mutex);
    return state_->bytes;
}

size_t TileCache::most_bytes() const {
    const std::lock_guard lock(state_->mutex);
    return state_->most_bytes;
}

}  // namespace texelscope
