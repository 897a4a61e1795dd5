#include "gpu/core/machine.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#if defined(__EMSCRIPTEN__)
#include <emscripten/heap.h>
#include <malloc.h>
#endif

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr size_t unlimited = std::numeric_limits<size_t>::max();

// The number in a file; empty for the word "max" and for a missing file.
std::optional<size_t> number_in(const fs::path& file) {
    std::ifstream in(file);
    size_t number = 0;
    if (in >> number) return number;
    return {};
}

// The number after a word at the start of a line: "MemAvailable:  1234 kB".
std::optional<size_t> number_behind(const fs::path& file, std::string_view word) {
    std::ifstream in(file);
    std::string first;
    size_t number = 0;
    for (std::string line; in >> first && std::getline(in, line);)
        if (first == word && std::sscanf(line.c_str(), "%zu", &number) == 1) return number;
    return {};
}

// What a control group leaves: its limit minus what it uses, as cached files can be dropped.
size_t left_in(const fs::path& group, const char* limit_file, const char* usage_file) {
    const auto limit = number_in(group / limit_file), used = number_in(group / usage_file);
    if (!limit || !used) return unlimited;
    const size_t files = number_behind(group / "memory.stat", "inactive_file").value_or(0) +
                         number_behind(group / "memory.stat", "active_file").value_or(0);
    const size_t fixed = *used - std::min(*used, files);
    return *limit - std::min(*limit, fixed);
}

size_t left_in_group(const fs::path& group) {
    return std::min(left_in(group, "memory.max", "memory.current"),                     // version 2
                    left_in(group, "memory.limit_in_bytes", "memory.usage_in_bytes"));  // version 1
}

// The tightest of a group and those around it. In a container the path may be that of the machine outside, of which
// only the end, the mounted root, is visible.
size_t left_on_the_way_to(const fs::path& mounted, const fs::path& group) {
    size_t left = left_in_group(mounted);
    fs::path at = mounted;
    for (const fs::path& step : group.relative_path()) left = std::min(left, left_in_group(at /= step));
    return left;
}

// Lines "0::/path" (version 2) and "9:memory:/path" (version 1).
size_t left_in_groups(const fs::path& root) {
    const fs::path mounted = root / "sys/fs/cgroup";
    std::ifstream groups(root / "proc/self/cgroup");
    size_t left = unlimited;
    for (std::string line; std::getline(groups, line);) {
        const size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        if (controllers == ",,") left = std::min(left, left_on_the_way_to(mounted, line.substr(second + 1)));
        if (controllers.find(",memory,") != std::string::npos)
            left = std::min(left, left_on_the_way_to(mounted / "memory", line.substr(second + 1)));
    }
    return left;
}

}  // namespace

#if defined(__EMSCRIPTEN__)
// What is left of WebAssembly's memory, which grows up to a limit of its own.
size_t available_host_memory() { return emscripten_get_heap_max() - size_t(mallinfo().uordblks); }
#else
size_t available_host_memory() { return available_host_memory("/"); }
#endif

size_t available_host_memory(const fs::path& root) {
    const auto of_machine = number_behind(root / "proc/meminfo", "MemAvailable:");
    return std::min(of_machine ? *of_machine << 10 : unlimited, left_in_groups(root));
}

std::string words_of_bytes(double bytes) {
    constexpr double mebibyte = 1 << 20, gibibyte = 1 << 30;
    if (bytes >= gibibyte) return fmt::format("{:.1f} GiB", bytes / gibibyte);
    return fmt::format("{:.0f} MiB", std::ceil(bytes / mebibyte));
}

const std::string& processor_name() {
    static const std::string name = [] {
        std::ifstream info("/proc/cpuinfo");
        for (std::string line; std::getline(info, line);)
            if (line.starts_with("model name"))
                if (const size_t colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
        return std::string("processor");
    }();
    return name;
}

std::filesystem::path path_in(const UserFolder& folder, const std::filesystem::path& name) {
    if (const char* const chosen = std::getenv(folder.variable); chosen && *chosen == '/')
        return std::filesystem::path(chosen) / name;
    if (const char* const home = std::getenv("HOME"); home && *home == '/')
        return std::filesystem::path(home) / folder.in_home / name;
    return {};
}

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
