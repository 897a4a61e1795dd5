#include "app/files/tiles/raw_tiles.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

constexpr size_t longest_header = size_t(1) << 20;

RawSamples samples_of(ByteSpan head, const OpenedFile& file, const PictureChoice& choice) {
    const Codec* codec = recognise(head, file.path());
    if (!codec || !codec->raw) throw NotInParts("its samples do not lie as they are");
    return codec->raw(head, choice);
}

class RawTiles : public FileTiles {
public:
    RawTiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice, bool truncated)
        : FileTiles(origin_of(*file, choice)),
          file_(std::move(file)),
          samples_(samples_of(file_->head(longest_header), *file_, choice)) {
        const uint64_t width = samples_.width, height = samples_.height, channels = samples_.channels;
        check_sides(width, height, channels);
        const uint64_t there = file_->size() - std::min<uint64_t>(samples_.at, file_->size());
        if (!truncated || there == 0) check_present(there, samples_.row_bytes() * height, width, height);
        info_ = {int(width), int(height), int(channels), samples_.type, samples_.alpha};
        info_.dimensions = samples_.dimensions;
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return usual_tile; }
    bool reads_any_region() const override { return true; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        naming(file_->path(), [&] {
            check_region(*this, level, region);
            file_->check_unchanged();
            Bytes stored(size_t(region.width) * samples_.pixel_bytes);
            for (int y = 0; y < region.height; ++y) {
                const int64_t row = samples_.bottom_up ? info_.height - 1 - (region.y + y) : region.y + y;
                const uint64_t at =
                    samples_.at + uint64_t(row) * samples_.row_bytes() + uint64_t(region.x) * samples_.pixel_bytes;
                if (at + stored.size() > file_->size())
                    throw Error("the file is truncated: it ends before these samples");
                file_->read(at, stored);
                samples_.convert(stored.data(), size_t(region.width), to + size_t(y) * row_bytes);
            }
        });
    }

private:
    std::shared_ptr<const OpenedFile> file_;
    RawSamples samples_;
    ImageInfo info_;
};

}  // namespace

std::unique_ptr<const TileSource> raw_tiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice,
                                            bool truncated) {
    return std::make_unique<RawTiles>(std::move(file), choice, truncated);
}

}  // namespace texelscope
