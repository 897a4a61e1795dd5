#include "gpu/core/text_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "gpu/core/errors.h"
#include "gpu/core/near_names.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

std::string why_unreadable(const std::filesystem::path& path, int error) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return "is a folder, not a file";
    if (error == ENOENT || error == ENOTDIR) return "no such file" + did_you_mean_file(path);
    std::string words = std::generic_category().message(error == 0 ? EIO : error);
    words.front() = lower_case(words.front());
    return "cannot be read: " + words;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, size_t most) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(most + 1, '\0');
    if (!file.read(text.data(), std::streamsize(text.size())) && !file.eof())
        throw FileError(path.string(), why_unreadable(path, errno));
    text.resize(size_t(file.gcount()));
    return text;
}

}  // namespace texelscope
