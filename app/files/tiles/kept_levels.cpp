#include "app/files/tiles/tile_folder.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/tiles/file_tiles.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

// Before the samples of each tile.
struct Record {
    uint32_t mark = 0, sum = 0;
    int64_t index = 0;
};
static_assert(sizeof(Record) == 16);

constexpr uint32_t tile_mark = 0x656C6974;  // not that of a hole

bool read_all(int file, uint64_t at, std::span<std::byte> to) {
    while (!to.empty()) {
        const ssize_t count = ::pread(file, to.data(), to.size(), off_t(at));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        to = to.subspan(size_t(count));
        at += uint64_t(count);
    }
    return true;
}

void write_all(int file, uint64_t at, ByteSpan bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), off_t(at));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error("cannot be written: " + words_of_error(errno));
        bytes = bytes.subspan(size_t(count));
        at += uint64_t(count);
    }
}

// A file that can only be read is of use, too.
std::pair<Descriptor, int> opened_descriptor(const fs::path& path) {
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW;
    if (Descriptor file{::open(path.c_str(), O_RDWR | flags)}) return {std::move(file), 0};
    const int why = errno;
    return {Descriptor(::open(path.c_str(), O_RDONLY | flags)), why};
}

}  // namespace

std::string LevelFile::header(const TileFileOrigin& origin, const LevelKind& kind) {
    std::string text = fmt::format(
        "texelscope level 1 {}\n{}\n{}\n{} bytes, changed {}\n"
        "level {} {} of {}x{}x{}, tiles of {}\naddress {} {}\nborder",
        std::endian::native == std::endian::little ? "little" : "big", origin.path, origin.choice, origin.bytes,
        origin.modified, kind.level.x, kind.level.y, kind.size.width, kind.size.height, kind.channels, kind.side,
        name_of(kind.x), name_of(kind.y));
    for (const float value : kind.border) text += fmt::format(" {:08x}", std::bit_cast<uint32_t>(value));
    text += fmt::format("\nlight {}\nmaker {:016x}\n", kind.light == Light::linear ? "linear" : "stored", kind.maker);
    if (text.size() > header_bytes) throw Error("its name is too long");
    text.resize(header_bytes);
    return text;
}

uint64_t LevelFile::place_bytes(const LevelKind& kind) {
    return sizeof(Record) + uint64_t(kind.side) * uint64_t(kind.side) * uint64_t(kind.channels) * sizeof(float);
}

uint64_t LevelFile::all_bytes(const LevelKind& kind) {
    return header_bytes + uint64_t(kind.columns()) * uint64_t(kind.rows()) * place_bytes(kind);
}

std::shared_ptr<LevelFile> LevelFile::opened(const fs::path& path, const std::string& header, const LevelKind& kind) {
    auto [file, why_read_only] = opened_descriptor(path);
    if (!file) return nullptr;
    std::string found(header.size(), '\0');
    std::error_code ignored;
    if (!read_all(file.number(), 0, std::as_writable_bytes(std::span(found))) || found != header) {
        fs::remove(path, ignored);
        return nullptr;
    }
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // it was used
    return std::shared_ptr<LevelFile>(new LevelFile(std::move(file), why_read_only, kind));
}

std::shared_ptr<LevelFile> LevelFile::made(const fs::path& path, const std::string& header, const LevelKind& kind) {
    OutputFile output(path);
    output.write(bytes_of_text(header));
    output.commit();
    auto file = opened(path, header, kind);
    if (!file) throw Error("it was removed at once");
    return file;
}

bool LevelFile::find(int64_t column, int64_t row, Image& samples) const {
    const int64_t index = this->index(column, row);
    const uint64_t at = header_bytes + uint64_t(index) * place_bytes(kind_);
    Record record;
    const std::span<std::byte> bytes(samples.data(), samples.size_bytes());
    return read_all(file_.number(), at, std::as_writable_bytes(std::span(&record, 1))) && record.mark == tile_mark &&
           record.index == index && read_all(file_.number(), at + sizeof record, bytes) && record.sum == sum_of(bytes);
}

void LevelFile::put(int64_t column, int64_t row, const Image& samples) const {
    if (why_read_only_) throw Error("cannot be written: " + words_of_error(why_read_only_));
    const ByteSpan bytes(samples.data(), samples.size_bytes());
    const Record record{tile_mark, sum_of(bytes), index(column, row)};
    const uint64_t at = header_bytes + uint64_t(record.index) * place_bytes(kind_);
    write_all(file_.number(), at + sizeof record, bytes);
    write_all(file_.number(), at, std::as_bytes(std::span(&record, 1)));
}

bool LevelFile::removed() const {
    struct stat info {};
    return ::fstat(file_.number(), &info) != 0 || info.st_nlink == 0;
}

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
