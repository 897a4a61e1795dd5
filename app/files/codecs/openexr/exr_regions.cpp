// OpenEXR in pieces: tiles, or blocks of rows.

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "app/files/bytes/pieces.h"
#include "app/files/codecs/openexr/exr_files.h"
#include "app/files/codecs/openexr/exr_picture.h"
#include "app/files/decoding/not_in_parts.h"

namespace texelscope {
namespace {

constexpr uint64_t largest_piece = uint64_t(64) << 20;  // bytes of all channels, as the library decodes it
constexpr size_t kept_tiles = size_t(64) << 20, kept_blocks = size_t(128) << 20;
constexpr int usual_tile = 512, smallest_tile = 64;  // tile sides for blocks of rows

class ExrRegions : public TileSource {
public:
    explicit ExrRegions(const EncodedFile& file) : stream_(file), picture_(stream_, file) {
        if (picture_.stored_piece_bytes() > largest_piece)
            throw NotInParts(picture_.tiled() ? "its tiles are too large" : "its rows are too long");
        const auto& [width, height, channels, type, alpha] = picture_.facts().shape;
        info_ = {width, height, channels, type, alpha, nullptr, picture_.facts().frame};
        pieces_.set_budget(picture_.tiled() ? kept_tiles : kept_blocks);
    }

    const ImageInfo& info() const override { return info_; }
    int levels() const override { return int(picture_.levels().size()); }
    Extent level_extent(int level) const override {
        const ExrLevel& which = picture_.levels().at(size_t(level));
        return {which.width(), which.height()};
    }

    // Blocks are decoded once for all tiles of a row if they all fit in the cache.
    int tile() const override {
        const ExrLevel& level = picture_.levels()[0];
        if (picture_.tiled()) return tile_of_pieces(level.piece_width, level.piece_height);
        int side = usual_tile;
        while (side > smallest_tile && size_t(side) * size_t(info_.width) * picture_.pixel_bytes() > kept_blocks / 2)
            side /= 2;
        return side;
    }

    void read(int number, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const ExrLevel& level = picture_.levels().at(size_t(number));
        const int64_t right = region.x + region.width, bottom = region.y + region.height;
        for (int64_t y = region.y / level.piece_height * level.piece_height; y < bottom; y += level.piece_height)
            for (int64_t x = region.x / level.piece_width * level.piece_width; x < right; x += level.piece_width)
                copy_common(piece_at(level, int(x), int(y)), region, picture_.pixel_bytes(), to, row_bytes);
    }

private:
    const Piece& piece_at(const ExrLevel& level, int x, int y) const {
        return pieces_.at({level.number, x, y}, [&] {
            Piece piece{{x, y, std::min(level.piece_width, level.width() - x),
                         std::min(level.piece_height, level.height() - y)}};
            const size_t row = size_t(piece.region.width) * picture_.pixel_bytes();
            piece.samples.resize(row * size_t(piece.region.height));
            picture_.read(level, piece.region, piece.samples.data(), row);
            return piece;
        });
    }

    DescriptorStream stream_;
    mutable ExrPicture picture_;
    ImageInfo info_;
    mutable std::mutex mutex_;
    mutable KeptPieces pieces_;
};

}  // namespace

std::unique_ptr<const TileSource> exr_regions(const EncodedFile& file) {
    return in_our_words([&] { return std::make_unique<ExrRegions>(file); });
}

}  // namespace texelscope
