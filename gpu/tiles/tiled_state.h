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

    std::shared_ptr<Backend> backend;
    Light light;
    MemoryPlan::Tiled shares;
    std::shared_ptr<TileCache> tiles;
    TiledLevels levels;
    Scratch output, points;
    BorderSum border_sum;

    const ImageInfo& info() const { return tiles->source().info(); }
};

}  // namespace texelscope
