#include "app/files/tiles/level_file.h"

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

// Also what can only be read is of use.
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

}  // namespace texelscope
