#pragma once
// TiledLevels: the pyramid of an image that is not in memory. A part of a level is made of a region of the level before, with
// the values, to the last bit, that a resident image's level has (Backend::reduce_part). What has been made is kept within a
// budget of bytes, the least recently used goes first, and handed to a store, if there is one, in which it is looked for again.

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <tuple>

#include "gpu/backend/backend.h"
#include "gpu/backend/request.h"
#include "gpu/core/colour.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tile_cache.h"

namespace texelscope {

// What is beyond an image's borders, if not zero.
BorderPixel border_of(const ImageInfo& info, const AddressPair& address, Light light);

class TiledLevels {
public:
    // `kept_bytes`: of tiles that are kept; `working_bytes`: what may be taken besides while a tile is made. The tiles are
    // made so small, 16 to 256 samples, that this is enough for the levels above them. `store`: of this image; may be null.
    TiledLevels(std::shared_ptr<Backend> backend, std::shared_ptr<TileCache> samples, Light light, size_t kept_bytes,
                size_t working_bytes, std::shared_ptr<LevelStore> store = nullptr);

    // The size of a level, in samples.
    Extent extent(Level level) const;

    BorderPixel border(const AddressPair& address) const {
        return border_of(samples_->source().info(), address, light_);
    }

    // A region of the level as `address`, that of the image, extends it. Level 0: the samples as they are stored, in
    // linear light if that is wanted; else f32, premultiplied. With a border() f32 minus that, and zero beyond. Throws
    // Error, which names the tile, if a sample cannot be read, and Cancelled.
    Image region(Level level, const AddressPair& address, const AxisRegion& x, const AxisRegion& y,
                 const std::stop_token& stop = {});

    // Side of a tile, in samples, when a region was cut last.
    int tile() const { return tile_; }

private:
    // Level, address modes, border, side, column, row.
    using Key = std::tuple<int, int, int, int, std::array<float, 4>, int, int64_t, int64_t>;
    struct Kept {
        std::shared_ptr<const Image> samples;
        std::list<Key>::iterator use;
    };

    Image region_of(Level level, const AddressPair& address, const AxisRegion& x, const AxisRegion& y,
                    const std::stop_token& stop);
    void read_stored(const SampleRegion& region, std::byte* to, size_t row_bytes, const std::stop_token& stop);
    void read(Level level, const AddressPair& address, const SampleRegion& region, std::byte* to, size_t row_bytes,
              const std::stop_token& stop);
    // `next`: what will be made after it; may be null.
    Image made(Level level, const AddressPair& address, const SampleRegion& region, const std::stop_token& stop,
               const SampleRegion* next);
    ImageRegion region_under(Level level, const AddressPair& address, const SampleRegion& region) const;
    LevelKind kind(Level level, const AddressPair& address);
    std::shared_ptr<const Image> kept(const Key& key);
    std::shared_ptr<const Image> stored(const LevelKind& kind, int64_t column, int64_t row);
    void keep(const Key& key, std::shared_ptr<const Image> samples);

    std::shared_ptr<Backend> backend_;
    std::shared_ptr<TileCache> samples_;
    std::shared_ptr<LevelStore> store_;
    std::optional<uint64_t> maker_;  // once it is asked for
    Light light_;
    size_t limit_, working_bytes_, bytes_ = 0;
    int tile_ = 256;
    std::map<Key, Kept> tiles_;
    std::list<Key> uses_;  // the latest first
};

// Recognises who makes levels: a number that is the same as long as they have the same values to the last bit. It is made of the
// levels of a small noise with the type, the channels, the alpha and the profile of the image, in every address mode. So another
// filter, another decoding of light, another compiler, processor or GPU shows by what it computes, and nobody has to
// count versions. Takes some milliseconds. Throws OutOfMemory.
uint64_t level_maker(const std::shared_ptr<Backend>& backend, const ImageInfo& image, Light light);

}  // namespace texelscope
