#pragma once
// TileCache: tiles of a source in host memory, within a budget of bytes; the least recently used go first. Threads of its
// own load what is asked for. Every function may be called from any thread.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/tile_source.h"

namespace texelscope {

// A tile of a level, by its place among the tiles.
struct TileKey {
    int level = 0, column = 0, row = 0;
    auto operator<=>(const TileKey&) const = default;
};

struct FailedTile {
    TileKey tile;
    SampleRegion region;
    std::string why;  // one sentence that names the tile
};

class TileCache {
public:
    // `bytes`: what all tiles may take together, those being loaded included. A few more are needed if that is less than
    // one tile for each thread. Throws Error for a null source.
    TileCache(std::shared_ptr<const TileSource> source, size_t bytes, int threads = 3);
    ~TileCache();
    TileCache(const TileCache&) = delete;
    TileCache& operator=(const TileCache&) = delete;

    const TileSource& source() const;

    // As TileSource::read, from tiles that are kept afterwards. Waits for those that are not there. Throws Error, which
    // names the tile, if one cannot be read.
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes);

    // Whether read() would wait for nothing.
    bool ready(int level, const SampleRegion& region) const;

    // Has the tiles of the region loaded by the threads, after what was asked for before. Never waits.
    void ask(int level, const SampleRegion& region);

    // Drops what was asked for and is not being loaded yet.
    void forget_asked();

    // Until forget_failed(), a tile that could not be read is not tried again.
    std::vector<FailedTile> failed() const;
    void forget_failed();

    double samples_loaded() const;  // so far
    size_t bytes() const;           // that tiles take now
    size_t most_bytes() const;      // the maximum so far

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace texelscope
