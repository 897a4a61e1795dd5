#pragma once
// Which samples of an image a rendering reads along one axis: a region of the image as its address mode extends it.

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/backend/request.h"
#include "gpu/core/address.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Positions along an axis, both ends included.
struct PositionRange {
    double low = 0, high = 0;
    bool empty() const { return !(low <= high); }
};

// Farther than this from the origin, positions are not whole numbers apart any more with room for their fraction.
inline constexpr double farthest_region = 0x1p50;

// Samples first … first + count − 1 of the extended image; or all of the image's own, which are then extended by the
// image's own mode.
struct AxisRegion {
    int64_t first = 0, count = 1;
    bool whole = false;

    // How the region's texels continue beyond its ends. A region that is not the whole is never read there, but for clamp
    // and border, where the image has long been constant.
    AddressMode address(AddressMode of_image) const { return whole ? of_image : AddressMode::clamp; }
    bool operator==(const AxisRegion&) const = default;
};

// The region for these positions over an axis of n samples, with `reach` samples on each side of them. The whole axis if
// the region would be no smaller. Positions are finite and within farthest_region; an empty range reads one sample.
AxisRegion axis_region(AddressMode mode, int n, PositionRange positions, int reach);

// A stretch of a region whose samples lie side by side in the image, backwards, or are all the same one.
struct RegionRun {
    int at = 0, count = 0;  // position in the region
    int stored = 0;         // of the image: the sample for `at`; −1: zeros
    int step = 1;           // to the next: 1, −1 (mirrored) or 0
    int lowest() const { return step < 0 ? stored - (count - 1) : stored; }
    int samples() const { return step == 0 ? 1 : count; }  // of the image
};

// The region in runs, from its beginning to its end.
std::vector<RegionRun> runs_of(const AxisRegion& region, AddressMode mode, int n);

// How many samples a request reads on each side of a position: its taps, widened, and those that the prefilter needs to
// make a coefficient, until |z|^reach is below 1e-8, or as many as are given.
struct RegionReach {
    int x = 0, y = 0;
};
RegionReach region_reach(const Resampling& request);
RegionReach region_reach(const Resampling& request, int coefficients);

// Cuts a region out of an image that is not in memory, as the image's address modes extend it.

// Copies samples of an image, or of a level, into packed memory: as TileSource::read.
using ReadSamples = std::function<void(const SampleRegion& region, std::byte* to, size_t row_bytes)>;

// A region of both axes, over an image of width × height samples.
struct ImageRegion {
    AxisRegion x, y;
    int width = 1, height = 1;
    AddressPair address;  // of the image

    AddressPair own_address() const { return {x.address(address.x), y.address(address.y)}; }
    double samples() const { return double(x.count) * double(y.count); }
};

// Whether its samples are read without the tiles around them: where that is possible, and these have many more.
bool is_read_alone(const ImageRegion& region, const TileSource& source);

// How many samples are read for it, those of whole tiles if need be, about.
double samples_read(const ImageRegion& region, const TileSource& source);

// The region as an image of `channels` samples a texel. Throws what `read` throws, and OutOfMemory.
Image assembled(const ImageRegion& region, int channels, SampleType type, Alpha alpha, const ReadSamples& read);

// The hull of the image's samples that the region consists of, to be asked for beforehand.
std::vector<SampleRegion> regions_of(const ImageRegion& region);

}  // namespace texelscope
