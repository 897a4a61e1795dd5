// TIFF with deflate: OpenImageIO does not ask whether a strip could be inflated, so damaged strips would be shown as
// whatever is in memory.
// Adobe's TIFF 6.0, section 2; BigTIFF, https://www.awaresystems.be/imaging/tiff/bigtiff.html
#include <algorithm>
#include <climits>
#include <vector>

#include <zlib.h>

#include "app/files/bytes/walker.h"
#include "app/files/codecs/damage.h"
#include "gpu/core/parallel.h"
#include "gpu/core/work_names.h"

namespace texelscope {
namespace {

constexpr uint64_t width_tag = 256, height_tag = 257, bits_tag = 258, compression_tag = 259, strip_offsets = 273,
                   channels_tag = 277, rows_per_strip = 278, strip_sizes = 279, planes_tag = 284, tile_width = 322,
                   tile_height = 323, tile_offsets = 324, tile_sizes = 325;

// A directory of a file, of either byte order, classic or "big": the first one, or that of another page, from 0.
class Directory {
public:
    Directory(ByteSpan bytes, int page) : bytes_(bytes) {
        const ByteSpan head = part(0, 8);
        little_ = byte_at(head, 0) == 'I';
        big_ = number(head.subspan(2, 2)) == 43;
        entry_bytes_ = big_ ? 20 : 12;
        uint64_t at = big_ ? number(part(8, 8)) : number(head.subspan(4));
        for (; page >= 0; --page) {
            const uint64_t count_bytes = big_ ? 8 : 2, count = number(part(at, count_bytes));
            if (count > 4096) throw Error("the TIFF is damaged: its directory is impossibly long");
            entries_ = part(at + count_bytes, count * entry_bytes_);
            if (page > 0) at = number(part(at + count_bytes + count * entry_bytes_, big_ ? 8 : 4));
        }
    }

    // Of integers; empty if it is not there.
    std::vector<uint64_t> values(uint64_t tag) const {
        for (size_t at = 0; at < entries_.size(); at += entry_bytes_) {
            const ByteSpan entry = entries_.subspan(at, entry_bytes_);
            if (number(entry.first(2)) != tag) continue;
            const uint64_t type = number(entry.subspan(2, 2)), count = number(entry.subspan(4, big_ ? 8 : 4));
            const uint64_t size = type == 3 ? 2 : type == 4 ? 4 : type == 16 ? 8 : 0;
            if (size == 0 || count > bytes_.size() / size) return {};
            const ByteSpan field = entry.subspan(big_ ? 12 : 8);
            const ByteSpan data = size * count <= field.size() ? field : part(number(field), size * count);
            std::vector<uint64_t> result(count);
            for (size_t i = 0; i < count; ++i) result[i] = number(data.subspan(i * size, size));
            return result;
        }
        return {};
    }
    uint64_t value(uint64_t tag, uint64_t otherwise) const {
        const auto found = values(tag);
        return found.empty() ? otherwise : found[0];
    }

    ByteSpan part(uint64_t at, uint64_t count) const {
        if (at > bytes_.size() || count > bytes_.size() - at) throw_truncated(bytes_.size(), "TIFF");
        return bytes_.subspan(size_t(at), size_t(count));
    }

private:
    uint64_t number(ByteSpan digits) const {
        uint64_t result = 0;
        for (size_t i = 0; i < digits.size(); ++i)
            result = result << 8 | byte_at(digits, little_ ? digits.size() - 1 - i : i);
        return result;
    }

    ByteSpan bytes_, entries_;
    bool little_ = true, big_ = false;
    size_t entry_bytes_ = 0;
};

struct Pieces {  // strips or tiles
    std::vector<ByteSpan> packed;
    uint64_t bytes = 0;  // of one, inflated
};

Pieces pieces_of(const Directory& directory, size_t file) {
    const bool tiled = !directory.values(tile_offsets).empty();
    const auto offsets = directory.values(tiled ? tile_offsets : strip_offsets);
    const auto sizes = directory.values(tiled ? tile_sizes : strip_sizes);
    if (offsets.size() != sizes.size()) throw Error("the TIFF is damaged: its strips and their sizes differ in number");
    const uint64_t width = directory.value(width_tag, 0), height = directory.value(height_tag, 0);
    check_dimensions(width, height, 1, SampleType::u8);
    const bool planes = directory.value(planes_tag, 1) == 2;
    const uint64_t columns = tiled ? directory.value(tile_width, width) : width;
    const uint64_t bits = directory.value(bits_tag, 1), channels = planes ? 1 : directory.value(channels_tag, 1);
    if (columns > uint64_t(max_image_side) || bits > 64 || channels > 65535)
        throw Error("the TIFF is damaged: its header makes no sense");
    Pieces pieces;
    const uint64_t rows = tiled ? directory.value(tile_height, height) : directory.value(rows_per_strip, height);
    pieces.bytes = std::min(rows, tiled ? uint64_t(max_image_side) : height) * ((columns * bits * channels + 7) / 8);
    uint64_t all = 0;
    for (size_t i = 0; i < offsets.size(); ++i) {
        if (sizes[i] == 0) continue;  // left out
        pieces.packed.push_back(directory.part(offsets[i], sizes[i]));
        all += sizes[i];
        if (all > file) throw Error("the TIFF is damaged: its strips overlap");
    }
    return pieces;
}

}  // namespace

bool inflates(ByteSpan packed, uint64_t needed, uint64_t used) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw OutOfMemory("not enough memory to read it");
    std::vector<Bytef> scratch(size_t(1) << 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = uInt(std::min<size_t>(packed.size(), UINT_MAX));
    int result = Z_OK;
    while (result == Z_OK && stream.total_out <= used + (1 << 20)) {
        stream.next_out = scratch.data();
        stream.avail_out = uInt(scratch.size());
        result = inflate(&stream, Z_NO_FLUSH);
    }
    const uint64_t made = stream.total_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END || result == Z_OK || (result == Z_BUF_ERROR && made >= needed && made <= used);
}

void check_tiff(ByteSpan bytes, int page) {
    const Directory directory(bytes, page);
    const uint64_t compression = directory.value(compression_tag, 1);
    if (compression != 8 && compression != 32946) return;
    const Pieces pieces = pieces_of(directory, bytes.size());
    constexpr WorkName work{"check of deflated strips"};
    parallel_for(work, pieces.packed.size(), 1, [&](size_t i) {
        const bool last = i + 1 == pieces.packed.size();  // may hold fewer rows
        if (!inflates(pieces.packed[i], last ? 1 : pieces.bytes, pieces.bytes))
            throw Error("the TIFF is damaged: the compressed data of a strip makes no sense");
    });
}

}  // namespace texelscope
