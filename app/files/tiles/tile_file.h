#pragma once
// A picture as a file of tiles, in the order of bytes of this machine: a header, the tiles, a checksum of each, and one of all
// these. Only this program writes such files, and only where it caches; whatever is in one is still not trusted.
//
// A row of tiles has 512 rows of samples, the last one fewer; its tiles lie one after another, each row by row without gaps.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// What the picture was read from. Another file, the same one changed, or another choice of its parts is another picture.
struct TileFileOrigin {
    std::string path;      // absolute
    std::string choice;    // text_of(PictureChoice)
    uint64_t bytes = 0;    // of the file and its companions, as in FileState
    int64_t modified = 0;  // as in FileState
    bool operator==(const TileFileOrigin&) const = default;
};

struct TileFileHeader {
    static constexpr int tile = 512;
    static constexpr size_t bytes = 8192;

    PictureShape shape;
    TileFileOrigin origin;

    size_t pixel_bytes() const { return size_t(shape.channels) * size_t(bytes_per_sample(shape.type)); }
    int columns() const { return (shape.width + tile - 1) / tile; }
    int rows() const { return (shape.height + tile - 1) / tile; }
    size_t tiles() const { return size_t(columns()) * size_t(rows()); }
    SampleRegion region(int column, int row) const;
    uint64_t offset(int column, int row) const;  // of a tile in the file
    uint64_t sums_offset() const;
    uint64_t file_bytes() const;
    bool operator==(const TileFileHeader&) const = default;
};

// TileFileHeader::bytes bytes. Unset if the path and the choice are too long for it.
std::optional<std::vector<std::byte>> encoded(const TileFileHeader& header);
// The header of a file of this length that begins with these bytes. Unset if it is no tile file, not whole, or of
// another version.
std::optional<TileFileHeader> parse_tile_file(ByteSpan beginning, uint64_t file_bytes);

// CRC-32.
uint32_t sum_of(ByteSpan tile);
// The checksums of all tiles and of themselves.
std::vector<std::byte> encoded_sums(std::vector<uint32_t> sums);
// Unset if they are damaged.
std::optional<std::vector<uint32_t>> parse_sums(ByteSpan bytes, size_t tiles);

}  // namespace texelscope
