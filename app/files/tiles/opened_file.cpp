#include "app/files/tiles/opened_file.h"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

#include "app/files/codecs/codecs.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr const char* changed = "the file was changed while it was open; open it again";

}  // namespace

OpenedFile::OpenedFile(const std::filesystem::path& path)
    : path_(path),
      file_(path),
      companions_(companions_of(file_.descriptor(), files_beside(path))),
      beside_(companions_ ? companions_->files() : std::vector<std::string>()),
      state_(state_now()) {}

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
    if (state_now() != state_) throw Error(changed);
}

FileState OpenedFile::state_now() const {
    struct stat info {};
    if (::fstat(descriptor(), &info) != 0) throw Error("cannot be read: " + words_of_error(errno));
    FileState state;
    state.add(info);
    if (companions_) state.add(*companions_, beside_);
    return state;
}

std::optional<uint64_t> stored_bytes(const std::filesystem::path& path) {
    try {
        return OpenedFile(path).state().bytes;
    } catch (const Error&) {
        return {};
    }
}

}  // namespace texelscope
