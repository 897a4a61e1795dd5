#include "gpu/core/tile_source.h"

#include <cstring>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {

void check_region(const TileSource& source, int level, const SampleRegion& region) {
    const auto& [x, y, width, height] = region;
    if (level < 0 || level >= source.levels())
        throw Error(fmt::format("level {} does not exist: there are 0 to {}", level, source.levels() - 1));
    const Extent extent = source.level_extent(level);
    const bool inside = x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= extent.width &&
                        height <= extent.height && x <= extent.width - width && y <= extent.height - height;
    if (!inside)
        throw Error(fmt::format("the region of {}×{} samples from ({}, {}) on is not inside the image of {}×{}", width,
                                height, x, y, extent.width, extent.height));
}

ImageTiles::ImageTiles(std::shared_ptr<const Image> image, int tile) : image_(std::move(image)), tile_(tile) {
    if (!image_ || image_->empty()) throw Error("an empty image has no tiles: give it a size and samples");
    if (image_->one_dimensional()) throw Error("a one-dimensional signal has no tiles: keep it in memory");
    if (tile < 1) throw Error(fmt::format("tiles must have sides of at least 1 sample, not {}", tile));
    info_ = {image_->width(), image_->height(), image_->channels(), image_->type(), image_->alpha(), image_->profile()};
}

Extent ImageTiles::level_extent(int) const { return {info_.width, info_.height}; }

void ImageTiles::read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const {
    check_region(*this, level, region);
    const size_t texel = size_t(info_.channels) * size_t(bytes_per_sample(info_.type));
    for (int y = 0; y < region.height; ++y, to += row_bytes)
        std::memcpy(to, image_->row(int(region.y) + y) + size_t(region.x) * texel, size_t(region.width) * texel);
}

}  // namespace texelscope
