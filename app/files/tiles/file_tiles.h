#pragma once
// Image files that are read by regions, and our own files of tiles.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// A picture as a file of tiles, in the order of bytes of this machine: a header, the tiles, a checksum of each, and one of all
// these. Only this program writes such files, and only where it caches; whatever is in one is still not trusted.
//
// A row of tiles has 512 rows of samples, the last one fewer; its tiles lie one after another, each row by row without gaps.

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

// Files whose regions are read when they are asked for: from where their samples lie, or decoded.

// A file that is read here and there for as long as it is shown, while anything may happen to it.

// Never mapped: where a mapped file has become shorter, looking at it would end the program. If another file takes its name, the
// one that was opened is read on.
class OpenedFile {
public:
    // Throws FileError.
    explicit OpenedFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return file_.descriptor(); }
    size_t size() const { return file_.size(); }
    // With its companions, as they were when it was opened.
    const FileState& state() const { return state_; }
    const std::shared_ptr<const Companions>& companions() const { return companions_; }
    Bytes head(size_t at_most) const { return file_.read(at_most); }

    // Exactly these bytes. Throws Error, without the name, if they are not there.
    void read(uint64_t at, std::span<std::byte> to) const;
    // Throws Error, without the name, if it or a companion has been written to since it was opened.
    void check_unchanged() const;

private:
    FileState state_now() const;

    std::filesystem::path path_;
    InputFile file_;
    std::shared_ptr<const Companions> companions_;
    std::vector<std::string> beside_;  // when it was opened: others are made beside it, too
    FileState state_;
};

// The bytes of the file and its companions. Unset: it cannot be opened.
std::optional<uint64_t> stored_bytes(const std::filesystem::path& path);

// What all sources of tiles have in common.

// Side of the tiles of sources that read any region at the same cost, samples.
inline constexpr int usual_tile = 512;

inline size_t pixel_bytes(const ImageInfo& info) { return size_t(info.channels) * size_t(bytes_per_sample(info.type)); }
// The bytes of all samples of level 0.
inline int64_t size_bytes(const ImageInfo& info) {
    return int64_t(info.width) * info.height * int64_t(pixel_bytes(info));
}

// The file as it was when it was opened.
TileFileOrigin origin_of(const OpenedFile& file, const PictureChoice& choice);

// A source that is a picture of a file.
class FileTiles : public TileSource {
public:
    explicit FileTiles(TileFileOrigin origin) : origin_(std::move(origin)) {}
    const TileFileOrigin& origin() const { return origin_; }

private:
    TileFileOrigin origin_;
};

// Uncompressed files of our own formats, whose regions are read from where they lie: .npy in C order, binary PNM, PAM, PFM.

// The samples are those of read_image. `truncated`: a file that ends early is opened all the same, and the regions that it lacks
// cannot be read. Throws Error, without the file's name; NotInParts.
std::unique_ptr<const TileSource> raw_tiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice,
                                            bool truncated = false);

// Files of other formats whose regions are decoded when they are read: TIFF and OpenEXR, tiled or in strips, slides, JPEG 2000, with
// the smaller images that they hold.

// Whether files of this format may be read in pieces at all: it costs nothing to ask.
bool has_pieces(const Codec& codec);

// The samples are those of read_image. Decoded by processes of their own, if this program has them (decoding/decoder.h).
// Throws Error, without the file's name; NotInParts.
std::unique_ptr<const TileSource> decoded_tiles(std::shared_ptr<const OpenedFile> file, const Codec& codec,
                                                const PictureChoice& choice);

}  // namespace texelscope
