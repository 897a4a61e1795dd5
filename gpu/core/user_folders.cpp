#include "gpu/core/user_folders.h"

#include <cstdlib>

namespace texelscope {

std::filesystem::path path_in(const UserFolder& folder, const std::filesystem::path& name) {
    if (const char* const chosen = std::getenv(folder.variable); chosen && *chosen == '/')
        return std::filesystem::path(chosen) / name;
    if (const char* const home = std::getenv("HOME"); home && *home == '/')
        return std::filesystem::path(home) / folder.in_home / name;
    return {};
}

}  // namespace texelscope
