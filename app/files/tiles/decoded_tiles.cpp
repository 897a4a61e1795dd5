#include "app/files/tiles/decoded_tiles.h"

#include <utility>

#include "app/files/bytes/naming.h"
#include "app/files/colour/colour_tags.h"
#include "app/files/decoding/decoding.h"
#include "app/files/reading/decoders.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

class DecodedTiles : public FileTiles {
public:
    DecodedTiles(std::shared_ptr<const OpenedFile> file, const Codec& codec, const PictureChoice& choice)
        : FileTiles(origin_of(*file, choice)), file_(std::move(file)) {
        const EncodedFile encoded{.format = place_of(codec),
                                  .format_name = codec.name,
                                  .name = file_->path().string(),
                                  .descriptor = file_->descriptor(),
                                  .bytes = file_->size(),
                                  .choice = choice,
                                  .modules = codec.modules,
                                  .companions = file_->companions()};
        regions_ = decodes_in_child() ? regions_in_child(encoded) : foreign_decoder().open_regions(encoded);
        info_ = regions_->info();
        if (!encoded.companions) info_.profile = colour_tags(file_->descriptor());
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return regions_->tile(); }
    int levels() const override { return regions_->levels(); }
    Extent level_extent(int level) const override { return regions_->level_extent(level); }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        naming(file_->path(), [&] {
            check_region(*this, level, region);
            file_->check_unchanged();
            regions_->read(level, region, to, row_bytes);
        });
    }

private:
    std::shared_ptr<const OpenedFile> file_;
    ImageInfo info_;
    std::unique_ptr<const TileSource> regions_;
};

}  // namespace

bool has_pieces(const Codec& codec) { return codec.open_regions != nullptr; }

std::unique_ptr<const TileSource> decoded_tiles(std::shared_ptr<const OpenedFile> file, const Codec& codec,
                                                const PictureChoice& choice) {
    return std::make_unique<DecodedTiles>(std::move(file), codec, choice);
}

}  // namespace texelscope
