#pragma once
// MemoryBudget: what a backend has taken of its memory, and what of it can be given up because it can be computed
// again: coefficients, levels of pyramids, textures, buffers that have grown. What was used longest ago goes first,
// whichever image it belongs to: when all of it together passes a limit, when it has lain idle, and when memory runs
// out. Like its backend, used from one thread at a time.

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>

#include "gpu/core/errors.h"

namespace texelscope {

class MemoryBudget {
    struct State;
    struct Entry;

public:
    static constexpr size_t unlimited = std::numeric_limits<size_t>::max();

    struct System {
        std::function<size_t()> available = {};  // bytes that can still be had, by the system's own account
        std::function<void()> settle = {};       // waits for whatever may still read what is kept
        bool ask_first = false;  // the system grants more than there is: large allocations are refused here
    };

    // `limit`: bytes that may be kept although they could be computed again.
    MemoryBudget(size_t limit, System system);
    ~MemoryBudget();
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    // Bytes that are counted as long as it lives.
    class Taken {
    public:
        Taken() = default;

    private:
        friend class MemoryBudget;
        std::shared_ptr<void> counted_;
    };

    // Counts memory that is about to be allocated. Throws OutOfMemory, "WHAT: 13.4 GiB are needed, 640 MiB available",
    // where it is more than there is.
    Taken take(size_t bytes, std::string_view what);

    // A place in the order of use, as long as it lives.
    class Kept {
    public:
        Kept() = default;
        void use();  // most recently

    private:
        friend class MemoryBudget;
        std::shared_ptr<Entry> entry_;
    };

    // Something that is kept from now on; older things make room for it up to the limit. `give_up` frees it and ends
    // its Kept, or does nothing where it is in use at this moment; it may be called within any call on the budget.
    [[nodiscard]] Kept keep(size_t bytes, std::function<void()> give_up);

    // Gives up what was used longest ago, until so many bytes are free or nothing is left. False where nothing could be
    // given up.
    bool free_memory(size_t bytes = unlimited);

    // Calls allocate(), and again as long as it throws OutOfMemory and something can be given up: so many bytes at a
    // time.
    template <class Allocate> auto obtain(size_t bytes, Allocate allocate) -> decltype(allocate()) {
        for (;;) {
            try {
                return allocate();
            } catch (const OutOfMemory&) {
                if (!free_memory(bytes)) throw;
            }
        }
    }

    // A picture is finished. What neither it nor the one before has used is idle: the last most_idle things of that
    // kind stay, so that flipping back computes nothing, and of older ones as much as idle_bytes take.
    void next_frame();
    static constexpr size_t most_idle = 8, idle_bytes = size_t(256) << 20;

    size_t limit() const;
    void set_limit(size_t bytes);
    size_t kept() const;        // bytes that could be given up
    size_t room() const;        // that can still be kept before older things must go
    size_t taken() const;       // bytes of all that is allocated, kept or not
    size_t most_taken() const;  // at any time so far
    size_t available() const;   // bytes that can still be had

    // From now on there is no more memory than this in all: how a full device is, for tests.
    void set_capacity(size_t bytes);

private:
    std::shared_ptr<State> state_;
};

// What a backend keeps by default: of `available` bytes, now, of a memory of `total`. An eighth is left to others, and
// the images themselves and the picture need some: at most three fifths of all.
size_t default_budget(size_t available, size_t total);

}  // namespace texelscope
