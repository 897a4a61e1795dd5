#pragma once
// Where the files of a user belong: the XDG Base Directory specification.

#include <filesystem>

namespace texelscope {

struct UserFolder {
    const char *variable, *in_home;
};
inline constexpr UserFolder config_home = {"XDG_CONFIG_HOME", ".config"}, data_home = {"XDG_DATA_HOME", ".local/share"},
                            cache_home = {"XDG_CACHE_HOME", ".cache"};

// `name` in that folder: of the variable if it holds an absolute path, else in HOME. Empty if there is no such place.
std::filesystem::path path_in(const UserFolder& folder, const std::filesystem::path& name);

}  // namespace texelscope
