#include "app/files/tiles/opened_file.h"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr const char* changed = "the file was changed while it was open; open it again";

struct Stamp {
    int64_t bytes = 0, modified = 0;
};

Stamp stamp_of(int descriptor) {
    struct stat info {};
    if (::fstat(descriptor, &info) != 0) throw Error("cannot be read: " + words_of_error(errno));
    return {info.st_size, int64_t(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec};
}

}  // namespace

OpenedFile::OpenedFile(const std::filesystem::path& path)
    : path_(path), file_(path), modified_(stamp_of(file_.descriptor()).modified) {}

void OpenedFile::read(uint64_t at, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t count = ::pread(descriptor(), to.data(), to.size(), off_t(at));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error("cannot be read: " + words_of_error(errno));
        if (count == 0) throw Error(changed);
        to = to.subspan(size_t(count));
        at += uint64_t(count);
    }
}

void OpenedFile::check_unchanged() const {
    const Stamp now = stamp_of(descriptor());
    if (now.bytes != int64_t(size()) || now.modified != modified_) throw Error(changed);
}

}  // namespace texelscope
