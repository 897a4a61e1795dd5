#include "app/files/desktop/trash.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/companions.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
    throw FileError(path.string(), "cannot be moved to the trash: " + why);
}

bool has_companions(const fs::path& path) {
    const auto companions = companions_of(path);
    return companions && !companions->files().empty();
}

// The device of the folder, or of the nearest one above it that exists.
dev_t device_of(fs::path folder) {
    struct stat info = {};
    while (::stat(folder.c_str(), &info) != 0 && folder.has_relative_path()) folder = folder.parent_path();
    return info.st_dev;
}

// The top folder of the file system that this folder is on.
fs::path top_of(const fs::path& folder) {
    fs::path top = folder;
    while (top.has_relative_path() && device_of(top.parent_path()) == device_of(top)) top = top.parent_path();
    return top;
}

// An administrator may have made one trash for all; it counts only if it is safe to share.
bool is_shared_trash(const fs::path& folder) {
    struct stat info = {};
    return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX);
}

struct Place {
    fs::path trash;
    fs::path relative_to;  // recorded paths are; empty: absolute
};

Place place_for(const fs::path& folder) {
    const fs::path home = path_in(data_home, "Trash");
    if (!home.empty() && device_of(home) == device_of(folder)) return {home, {}};
    const fs::path top = top_of(folder);
    const fs::path shared = top / ".Trash";
    if (is_shared_trash(shared)) return {shared / std::to_string(::getuid()), top};
    return {top / fmt::format(".Trash-{}", ::getuid()), top};
}

void make_private(const fs::path& path, const fs::path& folder) {
    std::error_code error;
    if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        fail(path, fmt::format("{}: {}", folder.string(), std::strerror(errno)));
}

std::string record(const fs::path& path, const fs::path& relative_to) {
    const fs::path shown = relative_to.empty() ? path : path.lexically_relative(relative_to);
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    char date[32] = "";
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local);
    return fmt::format("[Trash Info]\nPath={}\nDeletionDate={}\n", encoded_path(shown.string()), date);
}

// The record takes the name: only one program can create it. "a.png", "a.2.png", "a.3.png", …
Trashed claim(const fs::path& path, const fs::path& trash, const std::string& text) {
    for (int number = 1; number < 100000; ++number) {
        const std::string name = number == 1
                                     ? path.filename().string()
                                     : fmt::format("{}.{}{}", path.stem().string(), number, path.extension().string());
        Trashed trashed{path, trash / "files" / name, trash / "info" / (name + ".trashinfo")};
        struct stat info = {};
        if (::lstat(trashed.file.c_str(), &info) == 0) continue;  // left without a record by another program
        const int descriptor = ::open(trashed.info.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor < 0) fail(path, std::strerror(errno));
        const bool written = ::write(descriptor, text.data(), text.size()) == ssize_t(text.size());
        if (::close(descriptor) == 0 && written) return trashed;
        ::unlink(trashed.info.c_str());
        fail(path, "its record cannot be written");
    }
    fail(path, "there are too many files of this name in it");
}

}  // namespace

Trashed move_to_trash(const fs::path& path) {
    std::error_code none;
    const fs::path full = fs::absolute(path, none).lexically_normal();
    struct stat info = {};
    if (::lstat(full.c_str(), &info) != 0) fail(full, std::strerror(errno));
    if (S_ISREG(info.st_mode) && has_companions(full)) fail(full, "files beside it belong to it, and would stay");
    const Place place = place_for(full.parent_path());
    for (const fs::path& folder : {place.trash, place.trash / "files", place.trash / "info"})
        make_private(full, folder);
    const Trashed trashed = claim(full, place.trash, record(full, place.relative_to));
    if (::rename(full.c_str(), trashed.file.c_str()) == 0) return trashed;
    const int error = errno;
    ::unlink(trashed.info.c_str());
    fail(full, std::strerror(error));
}

void take_from_trash(const Trashed& trashed) {
    const auto refuse = [&](const std::string& why) {
        throw FileError(trashed.original.string(), "cannot be brought back from the trash: " + why);
    };
    struct stat info = {};
    // Where the file system cannot rename without overwriting, a look before must do.
    int result = ::renameat2(AT_FDCWD, trashed.file.c_str(), AT_FDCWD, trashed.original.c_str(), RENAME_NOREPLACE);
    if (result != 0 && (errno == EINVAL || errno == ENOSYS)) {
        if (::lstat(trashed.original.c_str(), &info) == 0) refuse("there is another file of this name now");
        result = ::rename(trashed.file.c_str(), trashed.original.c_str());
    }
    if (result != 0 && errno == EEXIST) refuse("there is another file of this name now");
    if (result != 0 && ::lstat(trashed.file.c_str(), &info) != 0) refuse("it is no longer there");
    if (result != 0) refuse(std::strerror(errno));
    ::unlink(trashed.info.c_str());
}

}  // namespace texelscope
