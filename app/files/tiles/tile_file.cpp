#include "app/files/tiles/tile_file.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include <zlib.h>

namespace texelscope {
namespace {

constexpr std::string_view magic = "texelscope tiles";
constexpr uint32_t version = 1;

// As it lies in the file.
struct Stored {
    char magic[16];
    uint32_t version, byte_order;
    int32_t width, height, channels, type, alpha, tile;
    uint64_t source_bytes;
    int64_t source_modified;
    uint32_t path_bytes, choice_bytes;
    char text[TileFileHeader::bytes - 80];  // the path, and the choice behind it
    uint32_t unused, sum;                   // of all before
};
static_assert(sizeof(Stored) == TileFileHeader::bytes);

constexpr uint32_t this_byte_order = 0x01020304;
constexpr size_t summed = TileFileHeader::bytes - sizeof(uint32_t);

bool has_sensible_shape(const PictureShape& shape) {
    try {
        check_dimensions(uint64_t(std::max(shape.width, 0)), uint64_t(std::max(shape.height, 0)),
                         uint64_t(std::max(shape.channels, 0)), shape.type);
    } catch (const Error&) {
        return false;
    }
    return true;
}

}  // namespace

SampleRegion TileFileHeader::region(int column, int row) const {
    const int x = column * tile, y = row * tile;
    return {x, y, std::min(tile, shape.width - x), std::min(tile, shape.height - y)};
}

uint64_t TileFileHeader::offset(int column, int row) const {
    const SampleRegion place = region(column, row);
    return bytes +
           (uint64_t(place.y) * uint64_t(shape.width) + uint64_t(place.x) * uint64_t(place.height)) * pixel_bytes();
}

uint64_t TileFileHeader::sums_offset() const {
    return bytes + uint64_t(shape.width) * uint64_t(shape.height) * pixel_bytes();
}

uint64_t TileFileHeader::file_bytes() const { return sums_offset() + (tiles() + 1) * sizeof(uint32_t); }

std::optional<std::vector<std::byte>> encoded(const TileFileHeader& header) {
    Stored stored{};
    const auto& [path, choice, source_bytes, modified] = header.origin;
    if (path.size() + choice.size() > sizeof stored.text) return {};
    std::memcpy(stored.magic, magic.data(), magic.size());
    stored.version = version;
    stored.byte_order = this_byte_order;
    stored.width = header.shape.width;
    stored.height = header.shape.height;
    stored.channels = header.shape.channels;
    stored.type = int32_t(header.shape.type);
    stored.alpha = int32_t(header.shape.alpha);
    stored.tile = TileFileHeader::tile;
    stored.source_bytes = source_bytes;
    stored.source_modified = modified;
    stored.path_bytes = uint32_t(path.size());
    stored.choice_bytes = uint32_t(choice.size());
    std::ranges::copy(path + choice, stored.text);
    std::vector<std::byte> result(sizeof stored);
    std::memcpy(result.data(), &stored, sizeof stored);
    stored.sum = sum_of(ByteSpan(result).first(summed));
    std::memcpy(result.data(), &stored, sizeof stored);
    return result;
}

std::optional<TileFileHeader> parse_tile_file(ByteSpan beginning, uint64_t file_bytes) {
    Stored stored;
    if (beginning.size() < sizeof stored) return {};
    std::memcpy(&stored, beginning.data(), sizeof stored);
    const bool ours = std::string_view(stored.magic, sizeof stored.magic) == magic && stored.version == version &&
                      stored.byte_order == this_byte_order && stored.tile == TileFileHeader::tile &&
                      stored.sum == sum_of(beginning.first(summed));
    const bool sensible = stored.type >= 0 && stored.type <= int32_t(SampleType::f32) && stored.alpha >= 0 &&
                          stored.alpha <= int32_t(Alpha::premultiplied) && stored.path_bytes <= sizeof stored.text &&
                          stored.choice_bytes <= sizeof stored.text - stored.path_bytes;
    if (!ours || !sensible) return {};
    TileFileHeader header;
    header.shape = {stored.width, stored.height, stored.channels, SampleType(stored.type), Alpha(stored.alpha)};
    header.origin = {{stored.text, stored.path_bytes},
                     {stored.text + stored.path_bytes, stored.choice_bytes},
                     stored.source_bytes,
                     stored.source_modified};
    if (!has_sensible_shape(header.shape) || header.file_bytes() != file_bytes) return {};
    return header;
}

uint32_t sum_of(ByteSpan tile) {
    return uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(tile.data()), tile.size()));
}

std::vector<std::byte> encoded_sums(std::vector<uint32_t> sums) {
    const ByteSpan bytes = std::as_bytes(std::span(sums));
    sums.push_back(sum_of(bytes));
    const ByteSpan all = std::as_bytes(std::span(sums));
    return {all.begin(), all.end()};
}

std::optional<std::vector<uint32_t>> parse_sums(ByteSpan bytes, size_t tiles) {
    if (bytes.size() != (tiles + 1) * sizeof(uint32_t)) return {};
    std::vector<uint32_t> sums(tiles + 1);
    std::memcpy(sums.data(), bytes.data(), bytes.size());
    const uint32_t sum = sums.back();
    sums.pop_back();
    if (sum != sum_of(bytes.first(tiles * sizeof(uint32_t)))) return {};
    return sums;
}

}  // namespace texelscope
