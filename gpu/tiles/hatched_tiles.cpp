#include "gpu/tiles/hatched_tiles.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

// Counted from the image's corner, so that regions fit together. Narrow stripes are seen close by, and wide ones, 64 along the
// larger side, in the whole image.
void hatch(const ImageInfo& info, const Extent& extent, const SampleRegion& region, std::byte* to, size_t row_bytes) {
    constexpr int64_t stripe = 16;
    const int64_t wide = stripe * std::max<int64_t>(1, std::max(extent.width, extent.height) / 64 / stripe);
    const size_t sample = size_t(bytes_per_sample(info.type));
    for (int j = 0; j < region.height; ++j) {
        std::byte* at = to + size_t(j) * row_bytes;
        for (int i = 0; i < region.width; ++i) {
            const int64_t place = region.x + i + region.y + j;
            const float light = 0.75f - 0.5f * float(place / stripe % 2) - 0.25f * float(place / wide % 2);
            for (int c = 0; c < info.channels; ++c, at += sample) {
                const bool alpha = info.alpha != Alpha::none && c == info.channels - 1;
                const float value = alpha ? 1.0f : light;
                convert_samples(reinterpret_cast<const std::byte*>(&value), 1, SampleType::f32, at, info.type);
            }
        }
    }
}

}  // namespace

HatchedTiles::HatchedTiles(std::shared_ptr<const TileSource> tiles) : tiles_(std::move(tiles)) {
    if (!tiles_) throw Error("tiles that may be damaged need a source: give it one");
}

void HatchedTiles::read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const {
    check_region(*this, level, region);
    try {
        tiles_->read(level, region, to, row_bytes);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        hatch(info(), level_extent(level), region, to, row_bytes);
        const std::lock_guard lock(mutex_);
        if (damaged_++ == 0)
            problem_ = fmt::format("{} (hatched: {}×{} samples from ({}, {}) on, and whatever else cannot be read)",
                                   error.what(), region.width, region.height, region.x, region.y);
    }
}

std::optional<std::string> HatchedTiles::take_problem() const {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, std::nullopt);
}

size_t HatchedTiles::damaged() const {
    const std::lock_guard lock(mutex_);
    return damaged_;
}

}  // namespace texelscope
