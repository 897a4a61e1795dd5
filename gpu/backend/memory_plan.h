#pragma once
// MemoryPlan: all shares of memory, from what there is. Bytes.
//
// There are two things to share out. The first is the memory of whoever computes, a GPU's or the machine's:
//   images         as much as they need; what does not fit is refused
//   kept           what a backend keeps because it may be needed again (memory_budget.h): at most three fifths of all, and
//                  an eighth, at least 256 MiB, is left to others; but of what is free always a quarter
//   the rest       pictures, and what is computed on the way to them
// The second is what one image that is not in memory may take (gpu/tiles), of the machine and the GPU together: 1 GiB unless
// --memory says otherwise. A command, which reads it once, divides this in eighths:
//   tiled.tiles    2   tiles of the file
//   tiled.levels   2   tiles of its levels, the smaller images
//   tiled.making   1   levels in the making
//   tiled.rows     1   rows of the output
//   tiled.region   1   the part that a block of the output reads, with its coefficients; or, in float64, the latter
//   the rest       1   threads, allocators, tables
// The viewer, which moves about in it, divides it in sixteenths. Tiles and levels are in the machine's memory; a GPU
// has regions in its own, of which they take no more than `kept`, but for 64 MiB:
//   live.maker     10      tiles and levels of the thread that makes regions, divided as above
//   live.held      6 or 9  regions that were made (CPU or GPU)
//   live.region    3 or 6  the one in the making
// Beside these, what needs the whole of such an image at once, as an export of it does, takes 256 MiB for its tiles, levels and
// regions; the search for its largest sample, 64 MiB for tiles.

#include <algorithm>
#include <cstddef>
#include <optional>

namespace texelscope {

inline constexpr size_t default_tiled_memory = size_t(1) << 30, tiled_memory_aside = size_t(256) << 20,
                        peak_tiles_memory = size_t(64) << 20;

// The least that an image works in which is not in memory: read once, and in the viewer.
inline constexpr size_t least_tiled_memory = size_t(32) << 20, least_live_memory = size_t(64) << 20;

// What there is.
struct MemoryThere {
    size_t available = 0, total = 0;         // of whoever computes: now, and in all
    size_t image = default_tiled_memory;     // what an image that is not in memory may take
    std::optional<size_t> kept_on_gpu = {};  // the limit of the backend, if that is a GPU
};

struct MemoryPlan {
    size_t kept = 0;
    struct Tiled {
        size_t tiles = 0, levels = 0, making = 0, rows = 0, region = 0;
    } tiled;
    struct Live {
        size_t maker = 0, held = 0, region = 0;
    } live;
};

constexpr MemoryPlan memory_plan(const MemoryThere& there) {
    const size_t for_others = std::max(there.total / 8, size_t(256) << 20);
    const size_t rest = there.available - std::min(there.available, for_others);
    const size_t quarter = there.image / 4, eighth = there.image / 8, part = there.image / 16;
    MemoryPlan plan;
    plan.kept = std::min(std::max(rest, there.available / 4), there.total / 5 * 3);
    plan.tiled = {quarter, quarter, eighth, eighth, eighth};
    plan.live = {10 * part, 6 * part, 3 * part};
    if (there.kept_on_gpu) {
        const size_t on_gpu = std::min(std::max(*there.kept_on_gpu, least_live_memory), there.image) / 16;
        plan.live = {10 * part, 9 * on_gpu, 6 * on_gpu};
    }
    return plan;
}

}  // namespace texelscope
