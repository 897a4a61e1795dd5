#pragma once
// Sketches: a part of an image, made small from few of its samples, to be shown until the right ones have been read.

#include <stop_token>

#include "gpu/core/light.h"
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

// The same region in fewer cells, if need be: as many as can be made quickly of at most `most` samples.
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

}  // namespace texelscope
