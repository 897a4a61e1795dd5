#include "gpu/core/device_limits.h"

#include <algorithm>
#include <array>

namespace texelscope {
namespace {

constexpr size_t KiB = 1 << 10, GiB = size_t(1) << 30;

constexpr DeviceLimits card(int capability, int multiprocessors, int threads, size_t shared_block,
                            size_t shared_processor, size_t memory) {
    return {.compute_capability = capability,
            .multiprocessors = multiprocessors,
            .threads_per_multiprocessor = threads,
            .shared_bytes_per_block = shared_block,
            .shared_bytes_per_multiprocessor = shared_processor,
            .texture_width = 131072,
            .texture_height = 65536,
            .texture_1d = 131072,
            .texture_1d_linear = 1 << 27,
            .memory_pools = true,
            .memory_bytes = memory};
}

constexpr std::array<KnownCard, 6> cards = {{
    {"GeForce GTX 1650", card(75, 14, 1024, 64 * KiB, 64 * KiB, 4 * GiB)},
    {"A30", card(80, 56, 2048, 163 * KiB, 164 * KiB, 24 * GiB)},
    {"GeForce RTX 3050 Laptop", card(86, 16, 1536, 99 * KiB, 100 * KiB, 4 * GiB)},
    {"GeForce RTX 4050 Laptop", card(89, 20, 1536, 99 * KiB, 100 * KiB, 6 * GiB)},
    {"H100 PCIe", card(90, 114, 2048, 227 * KiB, 228 * KiB, 80 * GiB)},
    {"GeForce RTX 5050", card(120, 20, 1536, 99 * KiB, 100 * KiB, 8 * GiB)},
}};

}  // namespace

std::span<const KnownCard> known_cards() { return cards; }

std::optional<DeviceLimits> limits_of_card(int compute_capability) {
    for (const KnownCard& card : cards)
        if (card.limits.compute_capability == compute_capability) return card.limits;
    return std::nullopt;
}

DeviceLimits lowered(const DeviceLimits& device, const DeviceLimits& card) {
    return {.compute_capability = std::min(device.compute_capability, card.compute_capability),
            .multiprocessors = std::min(device.multiprocessors, card.multiprocessors),
            .threads_per_multiprocessor = std::min(device.threads_per_multiprocessor, card.threads_per_multiprocessor),
            .shared_bytes_per_block = std::min(device.shared_bytes_per_block, card.shared_bytes_per_block),
            .shared_bytes_per_multiprocessor =
                std::min(device.shared_bytes_per_multiprocessor, card.shared_bytes_per_multiprocessor),
            .texture_width = std::min(device.texture_width, card.texture_width),
            .texture_height = std::min(device.texture_height, card.texture_height),
            .texture_1d = std::min(device.texture_1d, card.texture_1d),
            .texture_1d_linear = std::min(device.texture_1d_linear, card.texture_1d_linear),
            .memory_pools = device.memory_pools && card.memory_pools,
            .memory_bytes = std::min(device.memory_bytes, card.memory_bytes)};
}

}  // namespace texelscope
