// JPEG 2000 in pieces: the tiles of a file, or parts of its only tile.

#include "app/files/codecs/openjpeg/jp2_regions.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/pieces.h"
#include "app/files/bytes/raster.h"
#include "app/files/bytes/read_whole.h"
#include "app/files/codecs/openjpeg/jp2_codec.h"
#include "app/files/codecs/openjpeg/jp2_colours.h"
#include "app/files/decoding/not_in_parts.h"

namespace texelscope {
namespace {

constexpr size_t kept_bytes = size_t(64) << 20;
constexpr uint64_t largest_tile = uint64_t(1) << 26;  // samples of all channels, which are 32 bits wide while decoded
constexpr uint64_t most_packed_bytes = uint64_t(256) << 20;  // of a tile that is held while parts of it are decoded
constexpr uint32_t usual_part = 1024;                        // side of a part of a large tile, samples

uint64_t rounded_up_shift(uint64_t value, int level) { return (value + (uint64_t(1) << level) - 1) >> level; }

class Jp2Regions : public TileSource {
public:
    explicit Jp2Regions(const EncodedFile& file) : file_(file) {
        if (const std::string why = why_not_plain(bytes_of(file.descriptor), file.bytes); !why.empty())
            throw NotInParts(why);
        codec_ = std::make_unique<Jp2Codec>(file_);
        header_ = codec_->header();
        check_header();
        for (int level = 1; level < int(header_.resolutions) && has_level(level); ++level) ++levels_;
        const SampleType type = header_.bits > 8 ? SampleType::u16 : SampleType::u8;
        const Alpha alpha = header_.channels % 2 == 0 ? Alpha::straight : Alpha::none;
        const PictureShape stored{int(header_.width), int(header_.height), int(header_.channels), type, alpha};
        auto [facts, channels] = chosen_picture(file.choice, stored, 1, 1);
        const PictureShape shape = turned_shape(stored.width, stored.height, channels, type, alpha, facts);
        info_ = {shape.width, shape.height, shape.channels, shape.type, shape.alpha, nullptr};
        facts_ = std::move(facts);
        which_ = std::move(channels.which);
        pixel_ = which_.size() * size_t(bytes_per_sample(type));
    }

    const ImageInfo& info() const override { return info_; }
    const PictureFacts& facts() const { return facts_; }
    int levels() const override { return levels_; }
    Extent level_extent(int level) const override {
        return {int(rounded_up_shift(header_.width, level)), int(rounded_up_shift(header_.height, level))};
    }
    int tile() const override {
        return by_tiles() ? tile_of_pieces(int(header_.tile_width), int(header_.tile_height)) : int(usual_part);
    }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const auto [width, height] = piece_sides(level);
        // A piece begins at the first sample of the level that is at or behind its corner.
        const auto first = [level](int64_t sample, int64_t side) { return int((sample << level) / side); };
        const int right = first(region.x + region.width - 1, width),
                  bottom = first(region.y + region.height - 1, height);
        for (int row = first(region.y, height); row <= bottom; ++row)
            for (int column = first(region.x, width); column <= right; ++column)
                copy_common(kept_.at({level, column, row}, [&] { return decoded(level, column, row); }), region, pixel_,
                            to, row_bytes);
    }

private:
    bool one_tile() const { return header_.columns == 1 && header_.rows == 1; }

    // Else by parts of large ones.
    bool by_tiles() const {
        return !one_tile() && uint64_t(header_.tile_width) * header_.tile_height * header_.channels <= largest_tile;
    }

    void check_header() const {
        check_sides(header_.width, header_.height, std::min(header_.channels, 4u));
        if (header_.channels > 4) throw NotInParts(fmt::format("it has {} channels", header_.channels));
        if (header_.bits != 8 && header_.bits != 16)
            throw NotInParts(fmt::format("its samples have {} bits", header_.bits));
        if (one_tile() && file_.bytes > most_packed_bytes)
            throw NotInParts(fmt::format("all of it is one tile of {} MiB", file_.bytes >> 20));
    }

    // Tiles that are smaller than a sample of the level would have none.
    bool has_level(int level) const {
        const uint32_t shortest = std::min({header_.tile_width, header_.tile_height, header_.width, header_.height});
        return shortest >> level > 0;
    }

    // In samples of level 0.
    std::pair<int64_t, int64_t> piece_sides(int level) const {
        if (by_tiles()) return {header_.tile_width, header_.tile_height};
        return {int64_t(usual_part) << level, int64_t(usual_part) << level};
    }

    Piece decoded(int level, int column, int row) const {
        const auto [width, height] = piece_sides(level);
        const int64_t left = column * width, top = row * height;
        const int64_t right = std::min<int64_t>(left + width, header_.width);
        const int64_t bottom = std::min<int64_t>(top + height, header_.height);
        const auto place = [level](int64_t at) { return int64_t(rounded_up_shift(uint64_t(at), level)); };
        Piece piece{{place(left), place(top), int(place(right) - place(left)), int(place(bottom) - place(top))}};
        try {
            if (!codec_) codec_ = std::make_unique<Jp2Codec>(file_);
            take(by_tiles() ? codec_->tile(uint32_t(row) * header_.columns + uint32_t(column), uint32_t(level))
                            : codec_->area(int(left), int(top), int(right), int(bottom), uint32_t(level)),
                 piece);
        } catch (...) {
            codec_.reset();
            throw;
        }
        const bool all = right - left == header_.width && bottom - top == header_.height;
        if (!by_tiles() && (all || !one_tile())) codec_.reset();
        return piece;
    }

    void take(const opj_image_t& image, Piece& piece) const {
        const auto& [x, y, width, height] = piece.region;
        const size_t pixels = size_t(width) * size_t(height);
        piece.samples.resize(pixels * pixel_);
        for (size_t i = 0; i < which_.size(); ++i) {
            const opj_image_comp_t& channel = image.comps[which_[i]];
            if (!channel.data || channel.w != uint32_t(width) || channel.h != uint32_t(height))
                throw Error("the JPEG 2000 is damaged: a piece of it has another size than its header says");
            if (info_.type == SampleType::u8) interleave<uint8_t>(channel.data, pixels, i, piece);
            else interleave<uint16_t>(channel.data, pixels, i, piece);
        }
    }

    template <class T> void interleave(const int32_t* from, size_t pixels, size_t channel, Piece& piece) const {
        T* to = reinterpret_cast<T*>(piece.samples.data()) + channel;
        for (size_t i = 0; i < pixels; ++i) to[i * which_.size()] = T(from[i]);
    }

    EncodedFile file_;
    Jp2Header header_;
    int levels_ = 1;
    ImageInfo info_;
    PictureFacts facts_;
    std::vector<int> which_;
    size_t pixel_ = 1;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<Jp2Codec> codec_;
    mutable KeptPieces kept_{kept_bytes};
};

}  // namespace

std::unique_ptr<const TileSource> jp2_regions(const EncodedFile& file) { return std::make_unique<Jp2Regions>(file); }

void decode_jp2(const EncodedFile& file, DecodingTarget& target) {
    const Jp2Regions picture(file);
    const ImageInfo& info = picture.info();
    check_plausible(file.bytes, uint64_t(info.width), uint64_t(info.height), uint64_t(info.channels), info.type);
    read_whole(picture, picture.facts(), target);
}

}  // namespace texelscope
