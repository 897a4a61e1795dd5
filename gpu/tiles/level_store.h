#pragma once
// LevelStore: where TiledLevels looks for a level's tile before it makes it, and what it hands those over to that it has made.
// Whoever opens an image may keep them beyond the end of the program; the engine itself opens no files.

#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/backend/request.h"
#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

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
    // Those at the right and lower end are smaller.
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
