#pragma once
// The state of a TiledImage, which all that renders the image shares. Internal to this folder.

#include "gpu/backend/border_sum.h"
#include "gpu/backend/scratch.h"
#include "gpu/tiles/block_window.h"
#include "gpu/tiles/tiled_image.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

struct TiledImage::State {
    State(std::shared_ptr<Backend> on, std::shared_ptr<const TileSource> source, const TiledOptions& options);

    // The memory's parts, in eighths: tiles of the file 2, tiles of levels 2, levels in the making 1, the rows of the output 1,
    // a block's window with its coefficients 1; the rest is what threads, allocators and tables take.
    struct Shares {
        explicit Shares(size_t memory) : tiles(memory / 4), levels(memory / 4), eighth(memory / 8) {}
        size_t tiles, levels, eighth;
    };

    std::shared_ptr<Backend> backend;
    Light light;
    Shares shares;
    std::shared_ptr<TileCache> tiles;
    TiledLevels levels;
    Scratch output, points;
    BorderSum border_sum;

    const ImageInfo& info() const { return tiles->source().info(); }
};

}  // namespace texelscope
