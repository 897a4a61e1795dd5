#pragma once
// Sketches: a part of an image, made small from few of its samples, to be shown until the right ones have been read.

#include <memory>
#include <optional>
#include <stop_token>

#include "gpu/backend/border_sum.h"
#include "gpu/core/colour.h"
#include "gpu/tiles/block_region.h"
#include "gpu/tiles/tile_cache.h"

namespace texelscope {

// A part of an image, divided equally into cells.
struct SketchPlan {
    SampleRegion region;
    int width = 1, height = 1;  // cells

    double step_x() const { return double(region.width) / width; }  // samples from one cell to the next
    double step_y() const { return double(region.height) / height; }
    bool operator==(const SketchPlan&) const = default;
};

// The whole image in cells that are as wide as high, at most `side` of them along an axis.
SketchPlan sketch_of_all(const ImageInfo& info, int side);

// The plan's region in fewer cells, if need be: as many as can be made quickly of at most `most` samples.
SketchPlan affordable(const TileSource& source, const SketchPlan& plan, double most);

// Which of the file's images a sketch is made of: the smallest whose samples are not farther apart than the cells; 0 is the
// image itself.
int level_of_sketch(const TileSource& source, const SketchPlan& plan);

// A sample for each cell, f32, premultiplied, in linear light if that is wanted. Of a smaller image that the
// file holds they are means; else those of a few rows of samples in each cell's middle. `quickly`: where any
// region may be read, they are single samples, and else come from one tile for each cell. Reads through `tiles` what can
// only be read in tiles. Throws Error for what cannot be read, and Cancelled.
Image sketched(TileCache& tiles, Light light, const SketchPlan& plan, bool quickly, const std::stop_token& stop = {});

// How many samples are read for it.
double cost_of_sketch(const TileSource& source, const SketchPlan& plan, bool quickly);

// Coarser samples in the place of those that a block of an output reads, until those have been read.

// What a stand-in is read from: a sketch, or a region of a level.
class StandIn {
public:
    StandIn(std::shared_ptr<const ResidentImage> sketch, const ImageInfo& info, const SketchPlan& plan,
            const AddressPair& address);
    StandIn(std::shared_ptr<const ResidentImage> region, const ImageInfo& info, Level level, const AddressPair& address,
            const ImageRegion& of_level);

    // Whether it has samples under all of the block.
    bool covers(const BlockRegion& block, const ReadPlan& reading) const;

    // How unlike its samples are to those that the reading needs; 0: just as far apart.
    double unlikeness(const ReadPlan& reading) const;

    // The request for some pixels of the output, without points.
    Resampling request(const Resampling& whole, const PixelRange& pixels, bool linear) const;

    // A position on the level that the reading reads, in texels of what is read instead.
    Point texel_at(Point on_level, const ReadPlan& reading) const;

    const ResidentImage& samples() const { return *samples_; }

private:
    struct Axis {
        double ratio = 1, before = 0.5;  // position x of the image is (x + before) · ratio − 0.5 of what is read
        double first = 0;                // of what is read: the first texel that is there
        int count = 1;                   // texels that are there
        int whole = 1;                   // of which they are a part
        bool all = true;                 // they are all
        AddressMode address = AddressMode::clamp;
        double at(double x) const { return (x + before) * ratio - 0.5; }
    };
    bool covers(const Axis& axis, const LevelAxis& level, const PositionRange& range, double slack) const;

    std::shared_ptr<const ResidentImage> samples_;
    Axis x_, y_;
    bool partial_sketch_ = false;
    BorderValue border_;
};

}  // namespace texelscope
