#pragma once
// What this machine has: memory, and folders of its user.

#include <cstddef>
#include <filesystem>
#include <string>

namespace texelscope {

// How much memory the host can still give. Linux grants more than there is and ends the program that uses it, so large
// allocations should ask first.

// Bytes that can be taken without swapping: of the machine, and of every control group that the process is in (a
// container, a batch job). The largest size_t if neither is known.
size_t available_host_memory();

// The bytes according to files below another root than /: proc/meminfo, proc/self/cgroup, sys/fs/cgroup/….
size_t available_host_memory(const std::filesystem::path& root);

// "640 MiB", "13.4 GiB", as in messages.
std::string words_of_bytes(size_t bytes);

// Where the files of a user belong: the XDG Base Directory specification.

struct UserFolder {
    const char *variable, *in_home;
};
inline constexpr UserFolder config_home = {"XDG_CONFIG_HOME", ".config"}, data_home = {"XDG_DATA_HOME", ".local/share"},
                            cache_home = {"XDG_CACHE_HOME", ".cache"};

// `name` in that folder: of the variable if it holds an absolute path, else in HOME. Empty if there is no such place.
std::filesystem::path path_in(const UserFolder& folder, const std::filesystem::path& name);

}  // namespace texelscope
