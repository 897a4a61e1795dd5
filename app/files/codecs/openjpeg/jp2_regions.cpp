// JPEG 2000 through OpenJPEG; app/files/codecs/modules.h describes these functions.

#include "app/files/codecs/openjpeg/jp2_regions.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/image.h"

namespace texelscope {
namespace {

// JPEG 2000 in pieces: the tiles of a file, or parts of its only tile.
bool is_grey_or_rgb(ByteSpan content) {
    constexpr uint32_t enumerated = 1, srgb = 16, grey = 17;
    if (content.size() < 7 || byte_at(content, 0) != enumerated) return true;  // a profile, which changes no sample
    const uint32_t space = be32(content, 3);
    return space == srgb || space == grey;
}

// Kinds of channels in a cdef box (ISO 15444-1, I.5.3.6).
enum Meaning : uint32_t { colour = 0, opacity = 1, premultiplied_opacity = 2, unspecified = 65535 };

struct Definition {
    uint32_t channel, meaning, of;  // of: the number of a colour, from 1
};

// Empty if there is no cdef box.
std::optional<std::vector<Definition>> definitions_in(const ReadAt& read, const FileBox& header) {
    constexpr size_t entry = 6, most = 16;
    const FileBox box = box_in(read, header, "cdef");
    if (!box.found()) return {};
    const Bytes content = read(box.begin, std::min<size_t>(2 + most * entry, box.end - box.begin));
    std::vector<Definition> definitions;
    for (size_t at = 2; at + entry <= content.size() && definitions.size() < be16(content, 0); at += entry)
        definitions.push_back({be16(content, at), be16(content, at + 2), be16(content, at + 4)});
    return definitions;
}

// Colours in their order, alpha behind them; data anywhere.
bool is_in_order(const std::vector<Definition>& definitions) {
    return std::all_of(definitions.begin(), definitions.end(), [&](const Definition& each) {
        switch (each.meaning) {
            case colour: return each.of == each.channel + 1;
            case opacity:
            case premultiplied_opacity: return each.channel + 1 == definitions.size();
            default: return each.meaning == unspecified;
        }
    });
}

// Both judge by the boxes of a JP2 file of so many bytes (ISO/IEC 15444-1, annex I), or of a bare codestream, which has
// none.
//
// Why the channels of the codestream are not those of the picture: "it has a palette". Empty if they are.
std::string why_not_plain(const ReadAt& read, uint64_t bytes) {
    const FileBox header = box_in(read, {0, bytes}, "jp2h");
    if (box_in(read, header, "pclr").found()) return "it has a palette";
    constexpr size_t enough = 7;
    if (const FileBox box = box_in(read, header, "colr");
        box.found() && !is_grey_or_rgb(read(box.begin, std::min<size_t>(enough, box.end - box.begin))))
        return "its colours are neither grey nor RGB";
    if (const auto definitions = definitions_in(read, header); definitions && !is_in_order(*definitions))
        return "its channels are not in the order of their colours";
    return {};
}

// The alpha kind of the last channel. Without a cdef box it is straight alpha after RGB, and after grey in a JP2 file.
Alpha alpha_of_jp2(const ReadAt& read, uint64_t bytes, size_t channels) {
    if (channels != 2 && channels != 4) return Alpha::none;
    const FileBox header = box_in(read, {0, bytes}, "jp2h");
    const auto definitions = definitions_in(read, header);
    if (!definitions) return header.found() || channels == 4 ? Alpha::straight : Alpha::none;
    for (const Definition& each : *definitions) {
        if (each.channel + 1 != channels) continue;
        if (each.meaning == opacity) return Alpha::straight;
        if (each.meaning == premultiplied_opacity) return Alpha::premultiplied;
    }
    return Alpha::none;
}

constexpr size_t kept_bytes = size_t(64) << 20;
constexpr uint64_t largest_tile = uint64_t(1) << 26;  // samples of all channels, which are 32 bits wide while decoded
constexpr uint64_t most_packed_bytes = uint64_t(256) << 20;  // of a tile that is held while parts of it are decoded
constexpr uint32_t usual_part = 1024;                        // side of a part of a large tile, samples

uint64_t rounded_up_shift(uint64_t value, int level) { return (value + (uint64_t(1) << level) - 1) >> level; }

uint32_t most_bits(const std::vector<Jp2Channel>& channels) {
    uint32_t bits = 0;
    for (const Jp2Channel& channel : channels) bits = std::max(bits, channel.bits);
    return bits;
}

// Numbers if all channels are signed.
SampleType type_of(const std::vector<Jp2Channel>& channels) {
    const uint32_t bits = most_bits(channels);
    if (!std::all_of(channels.begin(), channels.end(), [](const Jp2Channel& channel) { return channel.is_signed; }))
        return bits <= 8 ? SampleType::u8 : SampleType::u16;
    return bits <= 8 ? SampleType::i8 : bits <= 16 ? SampleType::i16 : SampleType::i32;
}

class Jp2Regions : public TileSource {
public:
    // `whole`: all of it will be read in bands, which takes the library half as long without parts.
    explicit Jp2Regions(const EncodedFile& file, bool whole = false) : file_(file), whole_(whole) {
        const ReadAt read = bytes_of(file.descriptor);
        if (const std::string why = why_not_plain(read, file.bytes); !why.empty()) throw NotInParts(why);
        codec_ = std::make_unique<Jp2Codec>(file_);
        header_ = codec_->header();
        check_header();
        if (whole_) tiles_ = tiles_present(file_, header_.columns * header_.rows);
        if (ends_early()) {
            if (std::ranges::all_of(tiles_, [](Jp2Presence tile) { return tile == Jp2Presence::none; }))
                throw_truncated(file.bytes, "JPEG 2000");
            codec_ = std::make_unique<Jp2Codec>(file_, true);
        }
        for (int level = 1; level < int(header_.resolutions) && has_level(level); ++level) ++levels_;
        const size_t count = header_.channels.size();
        const SampleType type = type_of(header_.channels);
        const Alpha alpha = is_normalised(type) ? alpha_of_jp2(read, file.bytes, count) : Alpha::none;
        const PictureShape stored{int(header_.width), int(header_.height), int(count), type, alpha};
        auto [facts, channels] = chosen_picture(file.choice, stored, 1, 1);
        const PictureShape shape = turned_shape(stored.width, stored.height, channels, type, alpha, facts);
        info_ = {shape.width, shape.height, shape.channels, shape.type, shape.alpha, nullptr};
        facts_ = std::move(facts);
        facts_.missing = missing();
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
        if (!by_tiles()) return int(part());
        return whole_ ? int(header_.tile_height) : tile_of_pieces(int(header_.tile_width), int(header_.tile_height));
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
    bool ends_early() const { return !tiles_.empty(); }

    // The smallest rectangle with all tiles that are not whole.
    SampleRegion missing() const {
        if (!ends_early()) return {};
        uint32_t left = header_.columns, top = header_.rows, right = 0, bottom = 0;  // in tiles
        for (uint32_t i = 0; i < tiles_.size(); ++i) {
            if (tiles_[i] == Jp2Presence::whole) continue;
            const uint32_t column = i % header_.columns, row = i / header_.columns;
            left = std::min(left, column);
            right = std::max(right, column + 1);
            top = std::min(top, row);
            bottom = std::max(bottom, row + 1);
        }
        const auto x = [this](uint32_t at) {
            return std::min<int64_t>(int64_t(at) * header_.tile_width, header_.width);
        };
        const auto y = [this](uint32_t at) {
            return std::min<int64_t>(int64_t(at) * header_.tile_height, header_.height);
        };
        return {x(left), y(top), int(x(right) - x(left)), int(y(bottom) - y(top))};
    }

    bool one_tile() const { return header_.columns == 1 && header_.rows == 1; }

    // Else by parts of large ones.
    bool by_tiles() const {
        return !one_tile() &&
               uint64_t(header_.tile_width) * header_.tile_height * header_.channels.size() <= largest_tile;
    }

    int64_t part() const { return whole_ ? std::max(header_.width, header_.height) : usual_part; }

    void check_header() const {
        const size_t channels = header_.channels.size();
        check_sides(header_.width, header_.height, std::min<size_t>(channels, 4));
        if (channels > 4) throw NotInParts(fmt::format("it has {} channels", channels));
        if (const uint32_t bits = most_bits(header_.channels); bits > 16 && is_normalised(type_of(header_.channels)))
            throw NotInParts(fmt::format("its samples have {} bits", bits));
        if (!whole_ && one_tile() && file_.bytes > most_packed_bytes)
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
        return {part() << level, part() << level};
    }

    Piece decoded(int level, int column, int row) const {
        const auto [width, height] = piece_sides(level);
        const int64_t left = column * width, top = row * height;
        const int64_t right = std::min<int64_t>(left + width, header_.width);
        const int64_t bottom = std::min<int64_t>(top + height, header_.height);
        const auto place = [level](int64_t at) { return int64_t(rounded_up_shift(uint64_t(at), level)); };
        Piece piece{{place(left), place(top), int(place(right) - place(left)), int(place(bottom) - place(top))}};
        piece.samples.resize(size_t(piece.region.width) * size_t(piece.region.height) * pixel_);
        if (ends_early() && by_tiles() && tiles_[size_t(row) * header_.columns + size_t(column)] == Jp2Presence::none)
            return piece;
        try {
            if (!codec_) codec_ = std::make_unique<Jp2Codec>(file_, ends_early());
            take(by_tiles() ? codec_->tile(uint32_t(row) * header_.columns + uint32_t(column), uint32_t(level))
                            : codec_->area(int(left), int(top), int(right), int(bottom), uint32_t(level)),
                 piece);
        } catch (const Error&) {
            codec_.reset();
            if (!ends_early() || !by_tiles()) throw;
            std::ranges::fill(piece.samples, std::byte(0));  // too little of the tile is there
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
        for (size_t i = 0; i < which_.size(); ++i) {
            const opj_image_comp_t& channel = image.comps[which_[i]];
            if (!channel.data || channel.w != uint32_t(width) || channel.h != uint32_t(height))
                throw Error("the JPEG 2000 is damaged: a piece of it has another size than its header says");
            switch (info_.type) {
                case SampleType::u8: normalise<uint8_t>(channel.data, pixels, i, piece); break;
                case SampleType::u16: normalise<uint16_t>(channel.data, pixels, i, piece); break;
                case SampleType::i8: interleave<int8_t>(channel.data, pixels, i, piece); break;
                case SampleType::i16: interleave<int16_t>(channel.data, pixels, i, piece); break;
                default: interleave<int32_t>(channel.data, pixels, i, piece);
            }
        }
    }

    template <class T> void interleave(const int32_t* from, size_t pixels, size_t channel, Piece& piece) const {
        T* to = reinterpret_cast<T*>(piece.samples.data()) + channel;
        for (size_t i = 0; i < pixels; ++i) to[i * which_.size()] = T(from[i]);
    }

    // From the channel's smallest and largest number to those of T, to nearest.
    template <class T> void normalise(const int32_t* from, size_t pixels, size_t channel, Piece& piece) const {
        constexpr int64_t most = std::numeric_limits<T>::max();
        const auto [bits, is_signed] = header_.channels[size_t(which_[channel])];
        const int64_t largest = (int64_t(1) << bits) - 1, below = is_signed ? int64_t(1) << (bits - 1) : 0;
        if (largest == most && below == 0) return interleave<T>(from, pixels, channel, piece);
        T* to = reinterpret_cast<T*>(piece.samples.data()) + channel;
        for (size_t i = 0; i < pixels; ++i)
            to[i * which_.size()] =
                T((std::clamp(from[i] + below, int64_t(0), largest) * most + largest / 2) / largest);
    }

    EncodedFile file_;
    bool whole_;
    Jp2Header header_;
    std::vector<Jp2Presence> tiles_;  // of a file that ends early and is read as a whole, else empty
    int levels_ = 1;
    ImageInfo info_;
    PictureFacts facts_;
    std::vector<int> which_;
    size_t pixel_ = 1;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<Jp2Codec> codec_;
    mutable KeptPieces kept_{kept_bytes};
};

std::unique_ptr<const TileSource> jp2_regions(const EncodedFile& file) { return std::make_unique<Jp2Regions>(file); }

void decode_jp2(const EncodedFile& file, DecodingTarget& target) {
    const Jp2Regions picture(file, true);
    const ImageInfo& info = picture.info();
    check_plausible(file.bytes, uint64_t(info.width), uint64_t(info.height), uint64_t(info.channels), info.type);
    read_whole(picture, picture.facts(), target);
}

}  // namespace
}  // namespace texelscope

// The module's only entry point. Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OpenJpegModule* texelscope_openjpeg(
    const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr OpenJpegModule module{jp2_regions, decode_jp2};
    return &module;
}
