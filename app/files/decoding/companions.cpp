#include "app/files/decoding/decoder.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace texelscope {
namespace {

bool is_there(int folder, const std::string& path, mode_t type, struct stat& info) {
    return ::fstatat(folder, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && (info.st_mode & S_IFMT) == type;
}

}  // namespace

std::string Companions::stem() const { return fs::path(name).stem().string(); }

bool Companions::has_folder() const {
    struct stat info {};
    return is_there(folder.number(), stem(), S_IFDIR, info);
}

std::vector<std::string> Companions::files() const {
    const bool below = kind == Beside::folder;
    const std::string where = below ? stem() : ".", beginning = below ? "" : stem();
    const int listed = ::openat(folder.number(), where.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    std::vector<std::string> result;
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(listed), ::closedir);
    if (!entries) return result;
    while (const dirent* const entry = ::readdir(entries.get())) {
        const std::string path = below ? where + '/' + entry->d_name : entry->d_name;
        struct stat info {};
        if (std::string_view(entry->d_name).starts_with(beginning) && path != name &&
            is_there(folder.number(), path, S_IFREG, info))
            result.push_back(path);
    }
    return result;
}

std::shared_ptr<const Companions> companions_of(int file, Beside kind) {
    if (kind == Beside::nothing) return nullptr;
    std::error_code error;
    const fs::path place = fs::read_symlink(fmt::format("/proc/self/fd/{}", file), error);
    const int folder = ::open(place.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    auto result = std::make_shared<const Companions>(Companions{kind, Descriptor(folder), place.filename().string()});
    struct stat there {
    }, opened{};
    const bool same = is_there(folder, result->name, S_IFREG, there) && ::fstat(file, &opened) == 0 &&
                      there.st_dev == opened.st_dev && there.st_ino == opened.st_ino;
    return same ? result : nullptr;
}

void FileState::add(const struct stat& info) {
    bytes += uint64_t(info.st_size);
    const uint64_t time = uint64_t(info.st_mtim.tv_sec) * 1'000'000'000 + uint64_t(info.st_mtim.tv_nsec);
    modified = int64_t(uint64_t(modified) + time);
}

void FileState::add(const Companions& companions, const std::vector<std::string>& files) {
    struct stat info {};
    for (const std::string& file : files)
        if (is_there(companions.folder.number(), file, S_IFREG, info)) add(info);
}

}  // namespace texelscope
