#pragma once
// MemoryBudget: how much memory a backend has taken, and what can be given up because it can be computed again:
// coefficients, levels of pyramids, textures, buffers that have grown. The least recently used is given up first,
// whichever image it belongs to: when the total passes a limit, when it has been idle, and when memory runs out. Like
// its backend, used from one thread at a time.

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
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

    // At least this many bytes. They stay as long as the result is held; else the backend's budget may give them up,
    // except for the smallest (below kept_bytes). The content is lost when the memory has to grow, is much larger than
    // needed, or was given up. Throws OutOfMemory.
    std::shared_ptr<void> at_least(BackendMemory& backend, size_t bytes);
    static constexpr size_t kept_bytes = 64 << 10;

    // Holds nothing: not requested yet, or given up.
    bool empty() const;

private:
    struct Held;
    std::unique_ptr<Held> held_;
};

}  // namespace texelscope
