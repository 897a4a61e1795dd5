#pragma once
// An image that is not in memory as a whole: its samples are read by regions, from a file, from a formula or from an image.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/core/image.h"

namespace texelscope {

// What is known of an image before any sample is read.
struct ImageInfo {
    int width = 0, height = 0, channels = 0;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    std::shared_ptr<const ColourProfile> profile = {};
    std::optional<SampleRegion> frame = {};  // see Image
    int dimensions = 3;                      // see Image; never 1
};

// Read from many threads at a time.
class TileSource {
public:
    virtual ~TileSource() = default;

    // What is known of the whole image.
    virtual const ImageInfo& info() const = 0;

    // Side of the square tiles that are read most cheaply, in samples: their corners are at multiples of it.
    virtual int tile() const = 0;

    // The image and the smaller ones that its file holds; level 0 is the image itself.
    virtual int levels() const { return 1; }
    virtual Extent level_extent(int level) const = 0;

    // Row-major samples of the region, which must be inside the level, channels interleaved, row y at to + y · row_bytes.
    // Throws Error, one sentence, for what cannot be read.
    virtual void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const = 0;

    // Whether any region, were it a single row, is read as cheaply as it has samples: no tile is read or decoded for it.
    virtual bool reads_any_region() const { return false; }

    // How many samples are read in the time that a region takes at least, however small.
    virtual int samples_per_request() const { return 16384; }
};

// Throws Error unless the source has the level, and the region is inside it and not empty.
void check_region(const TileSource& source, int level, const SampleRegion& region);

// An image in memory that is read like one that is not.

class ImageTiles final : public TileSource {
public:
    // Throws Error for an empty image, a signal, and tiles smaller than one sample.
    explicit ImageTiles(std::shared_ptr<const Image> image, int tile = 512);

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return tile_; }
    bool reads_any_region() const override { return true; }
    Extent level_extent(int level) const override;
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override;

private:
    std::shared_ptr<const Image> image_;
    ImageInfo info_;
    int tile_;
};

}  // namespace texelscope
