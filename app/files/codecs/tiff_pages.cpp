#include "app/files/codecs/tiff_pages.h"

#include <optional>

#include "app/files/bytes/raster.h"

namespace texelscope {
namespace {

constexpr uint64_t most_entries = 4096;  // of a directory
constexpr uint64_t most_sub_images = 64, most_pieces = 1 << 22;
constexpr uint64_t compression_tag = 259, strip_offsets_tag = 273, strip_sizes_tag = 279, tile_width_tag = 322,
                   tile_offsets_tag = 324, tile_sizes_tag = 325, sub_images_tag = 330;

class Tiff {
public:
    explicit Tiff(const ReadAt& read) : read_(read), header_(read(0, 16)) {
        if (header_.size() < 8) return;
        const uint32_t order = be16(header_, 0);
        little_ = order == 0x4949;
        if (!little_ && order != 0x4d4d) return;
        const uint64_t version = number(header_, 2, 2);
        big_ = version == 43;
        if (big_ && header_.size() < 16) return;
        header_.resize(big_ ? 16 : 8);
        valid_ = big_ || version == 42;
    }

    std::vector<Bytes> sub_images(int page) const {
        std::vector<Bytes> headers;
        for (const uint64_t place : values_of(page_entries(page), sub_images_tag, most_sub_images))
            if (place != 0) headers.push_back(header_with(place));
        return headers;
    }

    DeflatedPieces deflated(int page) const {
        const Bytes entries = page_entries(page);
        const auto compression = values_of(entries, compression_tag, 1);
        if (compression.empty() || (compression[0] != 8 && compression[0] != 32946)) return {};
        const bool tiled = !values_of(entries, tile_width_tag, 1).empty();
        DeflatedPieces pieces{values_of(entries, tiled ? tile_offsets_tag : strip_offsets_tag, most_pieces),
                              values_of(entries, tiled ? tile_sizes_tag : strip_sizes_tag, most_pieces)};
        return pieces.offsets.size() == pieces.sizes.size() ? pieces : DeflatedPieces();
    }

private:
    uint64_t number(ByteSpan bytes, size_t at, size_t count) const {
        uint64_t result = 0;
        for (size_t i = 0; i < count; ++i) result = result << 8 | byte_at(bytes, at + (little_ ? count - 1 - i : i));
        return result;
    }
    std::optional<Bytes> bytes(uint64_t at, uint64_t count) const {
        Bytes result = read_(at, count);
        if (result.size() != count) return {};
        return result;
    }
    std::optional<uint64_t> number_at(uint64_t at, size_t count) const {
        const auto found = bytes(at, count);
        if (!found) return {};
        return number(*found, 0, count);
    }

    size_t offset_bytes() const { return big_ ? 8 : 4; }
    size_t count_bytes() const { return big_ ? 8 : 2; }
    size_t entry_bytes() const { return big_ ? 20 : 12; }

    // Of the directory's entries.
    std::optional<uint64_t> entries_in(uint64_t at) const {
        const auto count = number_at(at, count_bytes());
        return count && *count <= most_entries ? count : std::nullopt;
    }

    Bytes page_entries(int page) const {
        const auto place = valid_ ? place_of(page) : std::nullopt;
        return place ? entries_of(*place) : Bytes();
    }

    std::optional<uint64_t> place_of(int page) const {
        uint64_t at = number(header_, big_ ? 8 : 4, offset_bytes());
        for (; page > 0 && at != 0; --page) {
            const auto count = entries_in(at);
            const auto next = count ? number_at(at + count_bytes() + *count * entry_bytes(), offset_bytes()) : count;
            at = next.value_or(0);
        }
        return at == 0 ? std::nullopt : std::optional(at);
    }

    // Of all entries, without their values.
    Bytes entries_of(uint64_t directory) const {
        const auto count = entries_in(directory);
        const auto entries = count ? bytes(directory + count_bytes(), *count * entry_bytes()) : std::nullopt;
        return entries.value_or(Bytes());
    }

    // Whole numbers; empty if they are not there, or more than `most`.
    std::vector<uint64_t> values_of(ByteSpan entries, uint64_t tag, uint64_t most) const {
        for (size_t at = 0; at < entries.size(); at += entry_bytes())
            if (number(entries, at, 2) == tag) return values_of(entries.subspan(at, entry_bytes()), most);
        return {};
    }

    std::vector<uint64_t> values_of(ByteSpan entry, uint64_t most) const {
        const uint64_t type = number(entry, 2, 2), count = number(entry, 4, offset_bytes());
        const size_t size = type == 3 ? 2 : type == 4 || type == 13 ? 4 : type == 16 || type == 18 ? 8 : 0;
        if (size == 0 || count > most) return {};
        const ByteSpan field = entry.last(offset_bytes());
        const bool is_inside = size * count <= field.size();
        const auto outside = is_inside ? std::nullopt : bytes(number(field, 0, offset_bytes()), size * count);
        if (!is_inside && !outside) return {};
        const ByteSpan data = is_inside ? field : ByteSpan(*outside);
        std::vector<uint64_t> result(count);
        for (size_t i = 0; i < count; ++i) result[i] = number(data, i * size, size);
        return result;
    }

    Bytes header_with(uint64_t place) const {
        Bytes header = header_;
        const size_t at = big_ ? 8 : 4, count = offset_bytes();
        for (size_t i = 0; i < count; ++i)
            header[at + (little_ ? i : count - 1 - i)] = std::byte(place >> (8 * i) & 255);
        return header;
    }

    const ReadAt& read_;
    Bytes header_;
    bool little_ = true, big_ = false, valid_ = false;
};

}  // namespace

std::vector<Bytes> headers_of_sub_images(const ReadAt& read, int page) { return Tiff(read).sub_images(page); }

DeflatedPieces deflated_pieces(const ReadAt& read, int page) { return Tiff(read).deflated(page); }

}  // namespace texelscope
