#pragma once
// Pictures that can only be decoded from their first row to their last, kept on disk as tiles; beside them the levels of all that are
// read by regions (kept_levels.h). It is a cache: every file of it may be removed at any time.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "app/files/decoding/picture_in_file.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/tile_source.h"

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

}  // namespace texelscope
