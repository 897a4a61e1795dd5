#pragma once
// What blocks of a request's output read of an image that is not in memory: windows, of which those that are too large are
// divided. Internal to this folder.

#include <functional>
#include <memory>
#include <vector>

#include "gpu/backend/scratch.h"
#include "gpu/backend/source_image.h"
#include "gpu/reference/reference_job.h"
#include "gpu/tiles/assemble.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

// Pixels of an output that are computed at a time, along each axis.
inline constexpr int block_side = 512;

// What a block of the output reads.
struct BlockWindow {
    PixelRange pixels;  // of the output, computed: under a warp with neighbours, whose distances are its stretch
    ImageWindow window;
    std::vector<double> points;  // pairs, in indices of the window; empty: positions are affine
};

// Of one request, which outlives it, as the levels do.
class BlockWindows {
public:
    BlockWindows(const PlannedRequest& planned, const ImageInfo& info, const TiledLevels& levels,
                 const WindowReach& reach);

    // What a window takes, with all that is made of it.
    using Bytes = std::function<double(const ImageWindow& window)>;

    // Calls compute() for the block, or for parts of it whose windows take no more than `most` bytes and are read for more
    // than a few pixels. Throws OutOfMemory if a single pixel needs more, and what compute() throws.
    void divide(const PixelRange& block, double most, const Bytes& bytes,
                const std::function<void(const BlockWindow& read, const PixelRange& part)>& compute) const;

    // Has the tiles loaded that a block reads, if that is known and no more than `most` bytes.
    void ask(const PixelRange& block, double most, const Bytes& bytes, TileCache& tiles) const;

    // The request for a window's pixels, whose points come to `scratch`: memory of the backend, as long as the result is held.
    struct Part {
        Resampling request;
        std::shared_ptr<void> points;
    };
    Part part_of(const BlockWindow& read, Backend& backend, Scratch& scratch) const;

    Level level() const { return level_; }

private:
    BlockWindow window_of(const PixelRange& block) const;
    bool is_sparse(const BlockWindow& read) const;
    bool corners(const PixelRange& block, PositionRange& x, PositionRange& y) const;
    PixelRange with_neighbours(PixelRange block) const;
    void find_points(BlockWindow& read, PositionRange& x, PositionRange& y) const;

    const PlannedRequest& planned_;
    const Resampling& resampling_;
    int width_, height_;  // of the image
    Level level_;
    Extent size_;          // of the level
    AddressPair address_;  // of the level
    WindowReach reach_;
};

}  // namespace texelscope
