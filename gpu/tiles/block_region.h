#pragma once
// Which region of an image, or of a level of it, a block of an output reads, and the request for the block's pixels from
// such a region.

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/reference/reference.h"
#include "gpu/tiles/axis_region.h"
#include "gpu/tiles/tile_cache.h"

namespace texelscope {

// Pixels of an output that are computed at a time, along each axis.
inline constexpr int block_side = 512;

// What a block of the output reads.
struct BlockRegion {
    PixelRange pixels;  // of the output, computed: under a warp with neighbours, whose distances are its stretch
    ImageRegion region;
    std::vector<double> points;  // pairs, in samples of the level; empty: positions are affine
    PositionRange x, y;          // of the pixels, in samples of the level, as far as they read anything
};

// The blocks of one request. What it was planned from must outlive it.
class BlockRegions {
public:
    // `linear`: samples are decoded to linear light. `border`: a value beyond the image's borders is not zero.
    BlockRegions(const PlannedRequest& planned, const TileSource& source, bool linear, bool border);
    // `reach`: samples around a position, for what reads others than region_reach() says.
    BlockRegions(const PlannedRequest& planned, const TileSource& source, bool linear, bool border,
                 const RegionReach& reach);

    BlockRegion of(const PixelRange& block) const;

    // All pixels of the output.
    PixelRange all() const { return {0, 0, resampling_.width, resampling_.height}; }

    // The level that is read, in samples, and how it continues.
    Level level() const { return resampling_.reading.level; }
    const Extent& level_extent() const { return size_; }
    const AddressPair& level_address() const { return address_; }
    RegionReach reach() const { return reach_; }

    // Whether coefficients are made of a region before it is read.
    bool prefilters() const;

    // Bytes of a texel in a region's image and in the copies that are made when it is read and uploaded; and with its
    // coefficients.
    double bytes_per_sampled_texel() const;
    double bytes_per_texel() const;
    double bytes(const BlockRegion& block) const { return block.region.samples() * bytes_per_texel(); }

    // Whether most samples that are read for a block lie between its pixels: smaller blocks then read less, although
    // each has a cost of its own.
    bool is_sparse(const BlockRegion& block) const;

    // The request for the block's pixels from a region that holds all that the block reads. The caller sets its points,
    // which are those of counted_points, if the block has some.
    Resampling request(const BlockRegion& block, const ImageRegion& from) const;

    // The request from the block's own region, with points in memory of the backend as long as the result is held.
    struct Part {
        Resampling request;
        std::shared_ptr<void> points;
    };
    Part part(const BlockRegion& block, BackendMemory& backend, Scratch& scratch) const;

    // What a block takes, with all that is made of its region.
    using Bytes = std::function<double(const BlockRegion& block)>;

    // Calls compute() for the block, or for parts of it whose regions take no more than `most` bytes and are not sparse. Throws
    // OutOfMemory if a single pixel needs more, and what compute() throws.
    void divide(const PixelRange& block, double most, const Bytes& bytes,
                const std::function<void(const BlockRegion& read, const PixelRange& part)>& compute) const;

    // Has the tiles loaded that a block reads, if that is known and no more than `most` bytes.
    void ask(const PixelRange& block, double most, const Bytes& bytes, TileCache& tiles) const;

private:
    bool corners(const PixelRange& block, PositionRange& x, PositionRange& y) const;
    PixelRange with_neighbours(PixelRange block) const;
    void find_points(BlockRegion& read) const;

    const PlannedRequest& planned_;
    const Resampling& resampling_;
    const TileSource& source_;
    const ImageInfo& info_;
    bool linear_, border_;
    Extent size_;          // of the level
    AddressPair address_;  // of the level
    RegionReach reach_;
};

// A block in two.
std::array<PixelRange, 2> halves(const PixelRange& block);

// The block's points, counted from a region's first sample.
std::vector<double> counted_points(const BlockRegion& block, const ImageRegion& from);

// Throws Error for a kernel of one's own: it may read any sample, and so needs more than regions.
void check_reads_regions(const MethodSpec& spec);

// Whether every sample of one region is in another one of the same image, extended by the same modes.
bool holds(const ImageRegion& region, const ImageRegion& other);

}  // namespace texelscope
