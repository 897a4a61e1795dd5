#pragma once
// What this machine has: memory, folders of its user, and what its GPUs can do.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// How much memory the host can still give. Linux grants more than there is and ends the program that uses it, so large
// allocations should ask first.

// Bytes that can be taken without swapping: of the machine, and of every control group that the process is in (a
// container, a batch job). The largest size_t if neither is known.
size_t available_host_memory();

// The bytes according to files below another root than /: proc/meminfo, proc/self/cgroup, sys/fs/cgroup/….
size_t available_host_memory(const std::filesystem::path& root);

// "640 MiB", "13.4 GiB", as in messages.
std::string words_of_bytes(double bytes);

// The processor's name as Linux has it; "processor" if it has none.
const std::string& processor_name();

// Where the files of a user belong: the XDG Base Directory specification.

struct UserFolder {
    const char *variable, *in_home;
};
inline constexpr UserFolder config_home = {"XDG_CONFIG_HOME", ".config"}, data_home = {"XDG_DATA_HOME", ".local/share"},
                            cache_home = {"XDG_CACHE_HOME", ".cache"};

// `name` in that folder: of the variable if it holds an absolute path, else in HOME. Empty if there is no such place.
std::filesystem::path path_in(const UserFolder& folder, const std::filesystem::path& name);

struct DeviceLimits {
    int compute_capability = 0;  // 10 · major + minor: 75 for Turing
    int multiprocessors = 1;
    int threads_per_multiprocessor = 1024;
    size_t shared_bytes_per_block = 48 << 10;  // the most that one block can ask for (opt-in)
    size_t shared_bytes_per_multiprocessor = 64 << 10;
    int texture_width = 0, texture_height = 0;  // texels of two-dimensional textures; 0: textures are unavailable
    int texture_1d = 0, texture_1d_linear = 0;  // of signals: filtered by tex1D, read by tex1Dfetch
    bool memory_pools = false;                  // cudaMallocAsync
    size_t memory_bytes = 0;                    // of the device; 0 if not known

    bool operator==(const DeviceLimits&) const = default;
};

// Destination of kernels.
struct DeviceQueue {
    const DeviceLimits& limits;
    CUstream_st* stream;
};

inline constexpr size_t shared_bytes_without_opting_in = 48 << 10;
inline constexpr size_t shared_bytes_of_system = 1 << 10;  // of each block, beside its own
inline constexpr unsigned most_blocks_down = 65535;        // of a grid, on every device

// A common card: the smallest of its compute capability in multiprocessors and memory.
struct KnownCard {
    std::string_view name;
    DeviceLimits limits;
};

// One for each of the compute capabilities 7.5, 8.0, 8.6, 8.9, 9.0 and 12.0 (CUDA C++ Programming Guide, technical
// specifications for each compute capability).
std::span<const KnownCard> known_cards();

// The entry of a compute capability, 10 · major + minor; empty if there is none.
std::optional<DeviceLimits> limits_of_card(int compute_capability);

// The lower of both numbers, for each limit: `device` as if it were no better than `card`.
DeviceLimits lowered(const DeviceLimits& device, const DeviceLimits& card);

}  // namespace texelscope
