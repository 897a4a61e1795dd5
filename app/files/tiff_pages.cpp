#include "app/files/tiff_pages.h"

#include <optional>

#include "app/files/raster.h"

namespace texelscope {
namespace {

constexpr uint64_t most_entries = 4096;  // of a directory
constexpr uint64_t most_sub_images = 64, sub_images_tag = 330;

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
        if (!valid_) return headers;
        const std::optional<uint64_t> at = place_of(page);
        if (!at) return headers;
        for (const uint64_t place : places_in(*at)) headers.push_back(header_with(place));
        return headers;
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

    std::optional<uint64_t> place_of(int page) const {
        uint64_t at = number(header_, big_ ? 8 : 4, offset_bytes());
        for (; page > 0 && at != 0; --page) {
            const auto count = entries_in(at);
            const auto next = count ? number_at(at + count_bytes() + *count * entry_bytes(), offset_bytes()) : count;
            at = next.value_or(0);
        }
        return at == 0 ? std::nullopt : std::optional(at);
    }

    std::vector<uint64_t> places_in(uint64_t directory) const {
        const auto count = entries_in(directory);
        const auto entries = count ? bytes(directory + count_bytes(), *count * entry_bytes()) : std::nullopt;
        if (!entries) return {};
        for (size_t at = 0; at < entries->size(); at += entry_bytes())
            if (number(*entries, at, 2) == sub_images_tag)
                return values_of(ByteSpan(*entries).subspan(at, entry_bytes()));
        return {};
    }

    std::vector<uint64_t> values_of(ByteSpan entry) const {
        const uint64_t type = number(entry, 2, 2), count = number(entry, 4, offset_bytes());
        const bool is_long = type == 4 || type == 13, is_long8 = type == 16 || type == 18;
        if ((!is_long && !is_long8) || count > most_sub_images) return {};
        const size_t size = is_long ? 4 : 8;
        const ByteSpan field = entry.last(offset_bytes());
        const auto outside = size * count > field.size() ? bytes(number(field, 0, offset_bytes()), size * count)
                                                         : std::optional(Bytes());
        if (!outside) return {};
        const ByteSpan data = outside->empty() ? field : ByteSpan(*outside);
        std::vector<uint64_t> result;
        for (size_t i = 0; i < count; ++i)
            if (const uint64_t place = number(data, i * size, size)) result.push_back(place);
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

}  // namespace texelscope
