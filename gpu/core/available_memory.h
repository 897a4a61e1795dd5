#pragma once
// How much memory the host can still give. Linux grants more than there is and ends the program that uses it, so large
// allocations should ask first.

#include <cstddef>
#include <filesystem>
#include <string>

namespace texelscope {

// Bytes that can be taken without swapping: of the machine, and of every control group that the process is in (a
// container, a batch job). The largest size_t if neither is known.
size_t available_host_memory();

// The same from the files below another root than /: proc/meminfo, proc/self/cgroup, sys/fs/cgroup/….
size_t available_host_memory(const std::filesystem::path& root);

// "640 MiB", "13.4 GiB", as in messages.
std::string words_of_bytes(size_t bytes);

}  // namespace texelscope
