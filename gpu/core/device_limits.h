#pragma once
// DeviceLimits: what a GPU can do, as data. Read once per device; only the job and these numbers decide which kernel
// runs and in what shape.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

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
