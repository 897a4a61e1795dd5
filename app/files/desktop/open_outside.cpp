#include "app/files/desktop/open_outside.h"

#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include "app/files/bytes/child_program.h"
#include "gpu/core/errors.h"

namespace texelscope {

void open_outside(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::exists(path, none)) throw FileError(path, "does not exist any more");
    const std::string program = program_on_path("xdg-open");
    if (program.empty())
        throw Unavailable("opening " + path +
                          " from here needs xdg-open, which is not installed; on Debian: apt install xdg-utils");
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    try {
        launch({program, path}, nothing, "xdg-open");
    } catch (...) {
        ::close(nothing);
        throw;
    }
    ::close(nothing);
}

}  // namespace texelscope
