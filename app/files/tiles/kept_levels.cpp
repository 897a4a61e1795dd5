#include "app/files/tiles/kept_levels.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "app/files/desktop/md5.h"
#include "app/files/tiles/file_tiles.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

constexpr size_t most_open = 64;                     // files
constexpr uint64_t usual_step = uint64_t(64) << 20;  // of the room that is made at a time, bytes

// Names begin with the picture, go on with the file at that time, and end with the kind.
std::string name_of_picture(const TileFileOrigin& origin) { return md5(origin.path + '\n' + origin.choice) + '-'; }
std::string name_at_that_time(const TileFileOrigin& origin) {
    return name_of_picture(origin) + md5(fmt::format("{} {}", origin.bytes, origin.modified)).substr(0, 12) + '-';
}

}  // namespace

KeptLevels::KeptLevels(TileFolder folder, TileFileOrigin origin, uint64_t left_free)
    : folder_(std::move(folder)), origin_(std::move(origin)), left_free_(left_free) {
    remove_outdated();
}

void KeptLevels::remove_outdated() const {
    const std::string picture = name_of_picture(origin_), now = name_at_that_time(origin_);
    std::error_code error;
    std::vector<fs::path> outdated;
    for (fs::directory_iterator entry(folder_.path(), error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(picture) && !name.starts_with(now)) outdated.push_back(entry->path());
    }
    for (const fs::path& path : outdated) fs::remove(path, error);
}

// With the mutex held; valid until the next call.
KeptLevels::Open& KeptLevels::of_kind(const LevelKind& kind) {
    const auto at = std::ranges::find(open_, kind, &Open::kind);
    if (at != open_.end()) return *at;
    if (open_.size() >= most_open) open_.clear();
    Open open{kind, {}, LevelFile::header(origin_, kind), nullptr};
    open.path = folder_.path() / (name_at_that_time(origin_) + md5(open.header).substr(0, 16) + level_ending);
    return open_.emplace_back(std::move(open));
}

bool KeptLevels::find(const LevelKind& kind, int64_t column, int64_t row, Image& samples) {
    std::shared_ptr<LevelFile> file;
    try {
        const std::lock_guard lock(mutex_);
        Open& open = of_kind(kind);
        if (!open.file) open.file = LevelFile::opened(open.path, open.header, kind);
        file = open.file;
    } catch (const Error&) {}
    return file && file->find(column, row, samples);
}

// With the mutex held.
void KeptLevels::make_room(const Open& open) {
    constexpr uint64_t around = 2 * LevelFile::header_bytes;  // the header of a new file, and pages that are not full
    const uint64_t needed = LevelFile::place_bytes(open.kind) + around;
    if (room_ < needed) {
        const uint64_t step = std::max(needed, std::min(usual_step, folder_.most_bytes() / 64));
        std::error_code error;
        const fs::space_info space = fs::space(folder_.path(), error);
        if (!error && space.available < step + left_free_)
            throw Error(fmt::format("less than {} MiB of the disk would be left free", left_free_ >> 20));
        folder_.make_room(step, open.path);
        room_ += step;
    }
    room_ -= needed;
}

// Null if such a level is too large.
std::shared_ptr<LevelFile> KeptLevels::for_writing(const LevelKind& kind) {
    const std::lock_guard lock(mutex_);
    if (!why_not_.empty() || LevelFile::all_bytes(kind) > folder_.most_bytes() / 4) return nullptr;
    try {
        Open& open = of_kind(kind);
        folder_.prepare();
        make_room(open);
        if (open.file && open.file->removed()) open.file = nullptr;
        if (!open.file) open.file = LevelFile::opened(open.path, open.header, kind);
        if (!open.file) open.file = LevelFile::made(open.path, open.header, kind);
        return open.file;
    } catch (const Error& error) {
        why_not_ = error.what();
        return nullptr;
    }
}

void KeptLevels::put(const LevelKind& kind, int64_t column, int64_t row, const Image& samples) {
    const auto file = for_writing(kind);
    if (!file) return;
    try {
        file->put(column, row, samples);
    } catch (const Error& error) {
        const std::lock_guard lock(mutex_);
        why_not_ = error.what();
    }
}

std::string KeptLevels::why_not() const {
    const std::lock_guard lock(mutex_);
    return why_not_;
}

std::shared_ptr<KeptLevels> kept_levels(const TileSource& source, const TileFolder& folder) {
    const auto* const file = dynamic_cast<const FileTiles*>(&source);
    if (!file || folder.path().empty()) return nullptr;
    return std::make_shared<KeptLevels>(folder, file->origin());
}

}  // namespace texelscope
