#pragma once
// Tiles of another source of which some cannot be read: those become a pattern that says so, and everything else goes on.

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "gpu/core/tile_source.h"

namespace texelscope {

class HatchedTiles final : public TileSource {
public:
    // Throws Error for null.
    explicit HatchedTiles(std::shared_ptr<const TileSource> tiles);

    const ImageInfo& info() const override { return tiles_->info(); }
    int tile() const override { return tiles_->tile(); }
    bool reads_any_region() const override { return tiles_->reads_any_region(); }
    int samples_per_request() const override { return tiles_->samples_per_request(); }
    int levels() const override { return tiles_->levels(); }
    Extent level_extent(int level) const override { return tiles_->level_extent(level); }

    // Diagonal stripes, opaque, of two widths, for a region that the other source cannot read. Throws OutOfMemory, and
    // Error for a region that is not there at all.
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override;

    // The first problem that was met, one sentence, once. Others that come later are of the same file, and not said.
    std::optional<std::string> take_problem() const;
    size_t damaged() const;  // regions so far that could not be read

private:
    std::shared_ptr<const TileSource> tiles_;
    mutable std::mutex mutex_;
    mutable std::optional<std::string> problem_;
    mutable size_t damaged_ = 0;
};

}  // namespace texelscope
