#pragma once
// Levels that were made of a file, kept on disk beside the pictures of the TileFolder and within its limit: the next run, or the
// next opening, makes only what is missing.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/files/tiles/level_file.h"
#include "app/files/tiles/tile_folder.h"
#include "gpu/tiles/level_store.h"

namespace texelscope {

class KeptLevels final : public LevelStore {
public:
    static constexpr uint64_t usually_left_free = uint64_t(1) << 30;

    // Of the picture that `origin` says. What is kept of its file as it was before is removed. `left_free`: bytes of the
    // folder's disk that are left to others.
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
