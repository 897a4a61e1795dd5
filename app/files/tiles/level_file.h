#pragma once
// Tiles of one level of one picture in a file, in the order of bytes of this machine: a header, which says whose they are, and a
// place for each tile, which is a hole until the tile is made. Several programs may read and write it at a time: a tile
// counts only with its checksum, and whoever writes it writes the same.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/files/decoding/descriptor.h"
#include "app/files/tiles/tile_file.h"
#include "gpu/tiles/level_store.h"

namespace texelscope {

class LevelFile {
public:
    static constexpr size_t header_bytes = 8192;

    // What stands at the file's beginning; as many bytes. Throws Error if the names are too long for it.
    static std::string header(const TileFileOrigin& origin, const LevelKind& kind);
    // Of a tile in the file, and of all of them.
    static uint64_t place_bytes(const LevelKind& kind);
    static uint64_t all_bytes(const LevelKind& kind);

    // Null if there is none with this header; one with another header is removed.
    static std::shared_ptr<LevelFile> opened(const std::filesystem::path& path, const std::string& header,
                                             const LevelKind& kind);
    // A new one takes the place of any other. Throws Error.
    static std::shared_ptr<LevelFile> made(const std::filesystem::path& path, const std::string& header,
                                           const LevelKind& kind);

    // False if the tile is not there, or damaged.
    bool find(int64_t column, int64_t row, Image& samples) const;
    // Throws Error.
    void put(int64_t column, int64_t row, const Image& samples) const;
    // Its name is gone, or is another file's: it is of no use to anyone else any more.
    bool removed() const;

private:
    LevelFile(Descriptor file, int why_read_only, const LevelKind& kind)
        : file_(std::move(file)), why_read_only_(why_read_only), kind_(kind) {}
    int64_t index(int64_t column, int64_t row) const { return row * kind_.columns() + column; }

    Descriptor file_;
    int why_read_only_ = 0;  // error number; 0: it can be written
    LevelKind kind_;
};

}  // namespace texelscope
