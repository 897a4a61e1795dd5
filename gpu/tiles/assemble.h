#pragma once
// Cuts a window out of an image that is not in memory, as the image's address modes extend it.

#include <functional>

#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/axis_window.h"

namespace texelscope {

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
