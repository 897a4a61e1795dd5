#pragma once
// TileCache: tiles of a source in host memory, within a budget of bytes; the least recently used go first. Threads of its
// own load what is asked for. Every function may be called from any thread.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/backend/request.h"
#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
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

// LevelStore: where TiledLevels looks for a level's tile before it makes it, and what it hands those over to that it has made.
// Whoever opens an image may keep them beyond the end of the program; the engine itself opens no files.

// All that the samples of a level's tiles depend on besides the image.
struct LevelKind {
    Level level;
    Extent size;  // of the level, samples
    int channels = 1;
    int side = 256;                                     // of the tiles, samples
    AddressMode x = AddressMode::clamp, y = x;          // of the image
    std::array<float, 4> border = {};                   // what is beyond its borders: see TiledLevels::border
    Light light = Light::stored;                        // in which it is made
    uint64_t maker = 0;                                 // level_maker() of the backend
    bool operator==(const LevelKind&) const = default;  // tiles of equal kinds have the same values to the last bit

    int64_t columns() const { return (int64_t(size.width) + side - 1) / side; }
    int64_t rows() const { return (int64_t(size.height) + side - 1) / side; }
    // Tiles at the right and lower end are smaller.
    SampleRegion tile(int64_t column, int64_t row) const {
        const int64_t x0 = column * side, y0 = row * side;
        return {x0, y0, int(std::min<int64_t>(side, size.width - x0)), int(std::min<int64_t>(side, size.height - y0))};
    }
};

// A store of one image's levels. Called from any thread. It may forget any tile at any time; whatever goes wrong with
// it, it has none.
class LevelStore {
public:
    virtual ~LevelStore() = default;

    // Fills `samples`, f32 of the tile's size, and returns true; or returns false, and then they may be anything.
    virtual bool find(const LevelKind& kind, int64_t column, int64_t row, Image& samples) = 0;
    virtual void put(const LevelKind& kind, int64_t column, int64_t row, const Image& samples) = 0;
};

}  // namespace texelscope
