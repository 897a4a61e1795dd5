#pragma once
// Which samples of an image a rendering reads along one axis: a window of the image as its address mode extends it.

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
inline constexpr double farthest_window = 0x1p50;

// Samples first … first + count − 1 of the extended image; or all of the image's own, which are then extended by the
// image's own mode.
struct AxisWindow {
    int64_t first = 0, count = 1;
    bool whole = false;

    // How the window's texels continue beyond its ends. A window that is not the whole is never read there, but for clamp
    // and border, where the image has long been constant.
    AddressMode address(AddressMode of_image) const { return whole ? of_image : AddressMode::clamp; }
    bool operator==(const AxisWindow&) const = default;
};

// The window for these positions over an axis of n samples, with `reach` samples on each side of them. The whole axis if
// the window would be no smaller. Positions are finite and within farthest_window; an empty range reads one sample.
AxisWindow axis_window(AddressMode mode, int n, PositionRange positions, int reach);

// A stretch of a window whose samples lie side by side in the image, backwards, or are all the same one.
struct WindowRun {
    int at = 0, count = 0;  // position in the window
    int stored = 0;         // of the image: the sample for `at`; −1: zeros
    int step = 1;           // to the next: 1, −1 (mirrored) or 0
    int lowest() const { return step < 0 ? stored - (count - 1) : stored; }
    int samples() const { return step == 0 ? 1 : count; }  // of the image
};

// The window in runs, from its beginning to its end.
std::vector<WindowRun> runs_of(const AxisWindow& window, AddressMode mode, int n);

// How many samples a request reads on each side of a position: its taps, widened, and those that the prefilter needs to
// make a coefficient, until |z|^reach is below 1e-8, or as many as are given.
struct WindowReach {
    int x = 0, y = 0;
};
WindowReach window_reach(const Resampling& request);
WindowReach window_reach(const Resampling& request, int coefficients);

// Cuts a window out of an image that is not in memory, as the image's address modes extend it.

// Copies samples of an image, or of a level, into packed memory: as TileSource::read.
using ReadSamples = std::function<void(const SampleRegion& region, std::byte* to, size_t row_bytes)>;

// A window of both axes, over an image of width × height samples.
struct ImageWindow {
    AxisWindow x, y;
    int width = 1, height = 1;
    AddressPair address;  // of the image

    AddressPair own_address() const { return {x.address(address.x), y.address(address.y)}; }
    double samples() const { return double(x.count) * double(y.count); }
};

// Whether its samples are read without the tiles around them: where that is possible, and these have many more.
bool is_read_alone(const ImageWindow& window, const TileSource& source);

// How many samples are read for it, those of whole tiles if need be, about.
double samples_read(const ImageWindow& window, const TileSource& source);

// The window as an image of `channels` samples a texel. Throws what `read` throws, and OutOfMemory.
Image assembled(const ImageWindow& window, int channels, SampleType type, Alpha alpha, const ReadSamples& read);

// The hull of the image's samples that the window consists of, to be asked for beforehand.
std::vector<SampleRegion> regions_of(const ImageWindow& window);

}  // namespace texelscope
