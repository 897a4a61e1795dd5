#pragma once
// Pictures that can only be decoded from their first row to their last, kept on disk as tiles; beside them the levels of all that are
// read by regions (kept_levels.h). It is a cache: every file of it may be removed at any time.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tile_cache.h"

namespace texelscope {

// $XDG_CACHE_HOME/texelscope/tiles, or ~/.cache/…; empty: there is no such place.
std::filesystem::path usual_tile_folder();

// How the names of the folder's files end.
inline constexpr const char *tiles_ending = ".tiles", *level_ending = ".level";

inline constexpr uint64_t usual_tile_folder_bytes = uint64_t(32) << 30;

// An image by regions, or why it is better read as a whole.
struct TilesOrWhy {
    std::shared_ptr<const TileSource> tiles = {};  // null: as a whole
    std::string why = {};
    bool is_large = false;  // although its samples are worth it
};

class TileFolder {
public:
    // An empty folder: nothing is kept. `most_bytes`: of all its files; those that were not used for longest are removed
    // first.
    explicit TileFolder(std::filesystem::path folder = usual_tile_folder(),
                        uint64_t most_bytes = usual_tile_folder_bytes)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}

    // What is kept of this file as it is now. Null if there is nothing; a file that is damaged is removed.
    std::unique_ptr<const TileSource> find(const OpenedFile& file, const PictureChoice& choice) const;

    struct Making {
        int64_t worth = 0;                               // bytes of samples from which on it is kept
        std::function<void(double part)> progress = {};  // on the calling thread
        std::stop_token cancel = {};
    };
    // Decodes the file once, in bounded memory unless its rows arrive in no order (interlaced, turned, from the bottom), and
    // keeps it. No tiles if it is not worth it or cannot be kept. A writer that is killed, a full disk and an error leave
    // nothing that counts as kept. Throws FileError, OutOfMemory or Cancelled about the file itself.
    TilesOrWhy make(const OpenedFile& file, const PictureChoice& choice, const Making& making) const;

    const std::filesystem::path& path() const { return folder_; }
    uint64_t most_bytes() const { return most_bytes_; }
    uint64_t bytes() const;  // of all that is kept; holes are not counted
    void clear() const;

    // Makes the folder. Throws Error.
    void prepare() const;
    // For so many bytes more, by removing what was not used for longest, but `keep`. Throws Error if that is not enough.
    void make_room(uint64_t bytes, const std::filesystem::path& keep = {}) const;

private:
    std::filesystem::path place(const TileFileOrigin& origin) const;

    std::filesystem::path folder_;
    uint64_t most_bytes_;
};

// Levels that are kept on disk.

// Tiles of one level of one picture in a file, in the order of bytes of this machine: a header, which says whose they are, and a
// place for each tile, which is a hole until the tile is made. Several programs may read and write it at a time: a tile
// counts only with its checksum, and whoever writes it writes the same.
class LevelFile {
public:
    static constexpr size_t header_bytes = 8192;

    // What stands at the file's beginning; as many bytes. Throws Error if the names are too long for it.
    static std::string header(const TileFileOrigin& origin, const LevelKind& kind);
    // The bytes of a tile's place in the file, and of the whole file.
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

// Levels that were made of a file, kept on disk beside the pictures of the TileFolder and within its limit: the next run, or the
// next opening, makes only what is missing.
class KeptLevels final : public LevelStore {
public:
    static constexpr uint64_t usually_left_free = uint64_t(1) << 30;

    // The levels of the picture that `origin` names. What is kept of an earlier state of its file is removed.
    // `left_free`: bytes of the folder's disk that are left to others.
    KeptLevels(TileFolder folder, TileFileOrigin origin, uint64_t left_free = usually_left_free);

    bool find(const LevelKind& kind, int64_t column, int64_t row, Image& samples) override;
    // A level that would take more than a quarter of the folder is not kept. After the first thing that goes wrong, nothing
    // more is written.
    void put(const LevelKind& kind, int64_t column, int64_t row, const Image& samples) override;

    // What has gone wrong, one sentence without a name; empty: nothing has.
    std::string why_not() const;

private:
    struct Open {
        LevelKind kind;
        std::filesystem::path path;
        std::string header;
        std::shared_ptr<LevelFile> file;  // null: there is none yet
    };

    Open& of_kind(const LevelKind& kind);
    std::shared_ptr<LevelFile> for_writing(const LevelKind& kind);
    void make_room(const Open& open);
    void remove_outdated() const;

    TileFolder folder_;
    TileFileOrigin origin_;
    uint64_t left_free_;
    mutable std::mutex mutex_;
    std::vector<Open> open_;
    uint64_t room_ = 0;  // that was made and is not taken yet, bytes
    std::string why_not_;
};

// For a source that open_tiles has opened. Null for a test image, which is computed faster than it is read, and if there is
// no folder.
std::shared_ptr<KeptLevels> kept_levels(const TileSource& source, const TileFolder& folder = TileFolder());

}  // namespace texelscope
