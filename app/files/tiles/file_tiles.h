#pragma once

#include <utility>

#include "app/files/decoding/picture_choice.h"
#include "app/files/tiles/opened_file.h"
#include "app/files/tiles/tile_file.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

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
