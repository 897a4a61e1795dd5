#pragma once
// A request of a live view with what it reads. For the sources of LiveRegions only.

#include <cmath>

#include "gpu/tiles/live_regions.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

inline constexpr int first_side = 192;  // cells of the first sketch of the whole
inline int overview_side(size_t memory) { return memory < (size_t(256) << 20) ? 512 : 1024; }
inline constexpr double little = 0x1p24;  // samples that are read in a moment

// From the best to the least urgent; what costs less comes first within each.
enum Urgency {
    first_sketch,
    for_frame,
    for_probe,
    sketch_of_view,
    sketch_of_whole,
    much_for_frame,
    much_for_probe,
    ahead,
    in_float64  // reads what all of these have read
};
inline double priority(Urgency urgency, double cost) { return double(urgency) + cost / (cost + 0x1p30); }

// Samples of the image under a region of a level.
inline double cost_of(const ImageRegion& region, Level level) {
    return std::ldexp(region.samples(), level.x + level.y);
}

struct LiveRegions::Reading {
    Reading(const PlannedRequest& of, const TileSource& source, Light light)
        : planned(of),
          border(border_of(source.info(), of.resampling.spec.address, light)),
          blocks(planned, source, light == Light::linear, !border.is_zero()),
          all(blocks.of(blocks.all())),
          key(key_of(of.resampling)) {}

    const PlannedRequest& planned;
    BorderPixel border;
    BlockRegions blocks;
    BlockRegion all;
    SourceKey key;

    const Resampling& request() const { return planned.resampling; }
    Level level() const { return request().reading.level; }
};

}  // namespace texelscope
