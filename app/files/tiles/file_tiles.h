#pragma once
// What all sources of tiles have in common.

#include <cstddef>
#include <utility>

#include "app/files/decoding/picture_choice.h"
#include "app/files/tiles/opened_file.h"
#include "app/files/tiles/tile_file.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Side of the tiles of sources that read any region at the same cost, samples.
inline constexpr int usual_tile = 512;

inline size_t pixel_bytes(const ImageInfo& info) { return size_t(info.channels) * size_t(bytes_per_sample(info.type)); }
// Of all samples of level 0.
inline int64_t size_bytes(const ImageInfo& info) {
    return int64_t(info.width) * info.height * int64_t(pixel_bytes(info));
}

// The file as it was when it was opened.
TileFileOrigin origin_of(const OpenedFile& file, const PictureChoice& choice);

// A source that is a picture of a file.
class FileTiles : public TileSource {
public:
    explicit FileTiles(TileFileOrigin origin) : origin_(std::move(origin)) {}
    const TileFileOrigin& origin() const { return origin_; }

private:
    TileFileOrigin origin_;
};

}  // namespace texelscope
