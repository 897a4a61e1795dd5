#pragma once
// MemoryBudget: how much memory a backend has taken, and what can be given up because it can be computed again:
// coefficients, levels of pyramids, textures, buffers that have grown. The least recently used is given up first,
// whichever image it belongs to: when the total passes a limit, when it has been idle, and when memory runs out. Like
// its backend, used from one thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/core/errors.h"

namespace texelscope {

class MemoryBudget {
    struct State;
    struct Entry;

public:
    static constexpr size_t unlimited = std::numeric_limits<size_t>::max();

    struct System {
        std::function<size_t()> available = {};  // bytes that can still be allocated, according to the system
        std::function<size_t()> reclaim = {};    // returns what has been freed to the system: how many bytes
        bool ask_first = false;  // the system grants more than exists: large allocations are refused here
    };

    // `limit`: bytes that may be kept although they could be computed again.
    MemoryBudget(size_t limit, System system);
    ~MemoryBudget();
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    // Bytes that are counted as long as it lives. May end in any thread.
    class Taken {
    public:
        Taken() = default;

    private:
        friend class MemoryBudget;
        std::shared_ptr<void> counted_;
    };

    // Counts memory that is about to be allocated. Throws OutOfMemory, "WHAT: 13.4 GiB are needed, 640 MiB available",
    // if it is more than there is.
    Taken take(size_t bytes, std::string_view what);

    // Counts memory that has been allocated already, for another budget.
    Taken count(size_t bytes);

    // A position in the order of use, as long as it lives.
    class Kept {
    public:
        Kept() = default;
        void use();  // marks it as most recently used

    private:
        friend class MemoryBudget;
        std::shared_ptr<Entry> entry_;
    };

    // Something that is kept from now on; older things make room for it up to the limit. `give_up` frees it and ends
    // its Kept, or does nothing if it is in use at this moment; any call on the budget may call it.
    [[nodiscard]] Kept keep(size_t bytes, std::function<void()> give_up);

    // Gives up the least recently used, until this many bytes are free or nothing is left. False if nothing could be
    // given up.
    bool free_memory(size_t bytes = unlimited);

    // Returns what has been freed to the system. False if that was nothing.
    bool reclaim();

    // Calls allocate(), and repeats it as long as it throws OutOfMemory and something can be reclaimed or given up, this
    // many bytes each time.
    template <class Allocate> auto obtain(size_t bytes, Allocate allocate) -> decltype(allocate()) {
        for (;;) {
            try {
                return allocate();
            } catch (const OutOfMemory&) {
                if (!reclaim() && !free_memory(bytes)) throw;
            }
        }
    }

    // A picture is finished. What neither it nor the one before has used is idle: the last most_idle things of that
    // kind stay, so that flipping back computes nothing, and of older ones as much as fits in idle_bytes.
    void next_frame();
    static constexpr size_t most_idle = 8, idle_bytes = size_t(256) << 20;

    size_t limit() const;
    void set_limit(size_t bytes);
    size_t kept() const;        // bytes that could be given up
    size_t room() const;        // that can still be kept before older things must go
    size_t taken() const;       // bytes allocated in all, kept or not
    size_t most_taken() const;  // the maximum so far
    size_t available() const;   // bytes that can still be allocated

    // From now on there is only this much memory in total: simulates a full device, for tests.
    void set_capacity(size_t bytes);

private:
    std::shared_ptr<State> state_;
};

// HostMemory: memory of the CPU backend, counted before it is taken.

class HostMemory {
public:
    HostMemory() = default;

    enum class Contents { zeros, any };

    // Gives up what the budget keeps if there is not enough. `what` begins the message of OutOfMemory: "no
    // memory for the picture".
    HostMemory(MemoryBudget& budget, size_t bytes, const std::string& what, Contents contents = Contents::zeros);

    // Counts it by another budget from now on.
    void count_by(MemoryBudget& budget, size_t bytes) { taken_ = budget.count(bytes); }

    void* get() const { return memory_.get(); }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    MemoryBudget::Taken taken_;
    std::unique_ptr<void, Free> memory_;
};

// The budget of a CPU backend: a share of the memory now available to the machine or the process's control group.
MemoryBudget host_budget();

// Scratch: memory of a backend for intermediate values, which grows as needed and is used again.

class BackendMemory;

class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

    // At least this many bytes; null if none are asked for. They stay as long as the result is held; else the backend's
    // budget may give them up, except for the smallest (below kept_bytes). The content is lost when the memory has to grow,
    // is much larger than needed, or was given up. Throws OutOfMemory.
    std::shared_ptr<void> at_least(BackendMemory& backend, size_t bytes);
    static constexpr size_t kept_bytes = 64 << 10;

    // Holds nothing: not requested yet, or given up.
    bool empty() const;

private:
    struct Held;
    std::unique_ptr<Held> held_;
};

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
