#pragma once
// An image in memory that is read like one that is not.

#include "gpu/core/tile_source.h"

namespace texelscope {

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
