#include "gpu/backend/memory_budget.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "gpu/backend/interfaces.h"
#include "gpu/core/machine.h"

namespace texelscope {
namespace {

// Asking the system means reading a few files.
constexpr size_t worth_asking = size_t(16) << 20;

}  // namespace

struct MemoryBudget::State {
    size_t limit, capacity = unlimited, kept = 0, most_taken = 0;
    std::atomic<size_t> taken = 0;  // less, when another thread gives back what it shared
    System system;
    std::list<Entry*> entries;  // the most recently used first
    long long frame = 0;

    // Gives up entries last used in this frame or before, the least recently used first. Returns the bytes given up.
    size_t give_up(size_t wanted, long long up_to_frame);
    size_t available() const {
        return std::min(system.available ? system.available() : unlimited,
                        capacity - std::min<size_t>(capacity, taken));
    }
};

// A holder of memory beyond its backend's life may still give it back.
struct MemoryBudget::Entry {
    std::shared_ptr<State> state;
    size_t bytes;
    std::function<void()> give_up;
    long long frame;
    std::list<Entry*>::iterator at;

    Entry(std::shared_ptr<State> of, size_t size, std::function<void()> free)
        : state(std::move(of)),
          bytes(size),
          give_up(std::move(free)),
          frame(state->frame),
          at(state->entries.insert(state->entries.begin(), this)) {
        state->kept += bytes;
    }
    ~Entry() {
        state->kept -= bytes;
        state->entries.erase(at);
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
};

size_t MemoryBudget::State::give_up(size_t wanted, long long up_to_frame) {
    const size_t before = kept;
    for (auto at = entries.end(); at != entries.begin() && before - std::min(before, kept) < wanted;) {
        const Entry& entry = **--at;
        if (entry.frame > up_to_frame) continue;
        const size_t count = entries.size();
        const std::function<void()> free = entry.give_up;  // the entry ends while it runs
        free();
        if (entries.size() < count) at = entries.end();  // it is gone, and perhaps others with it
    }
    return before - std::min(before, kept);
}

MemoryBudget::MemoryBudget(size_t limit, System system) : state_(std::make_shared<State>()) {
    state_->limit = limit;
    state_->system = std::move(system);
}

MemoryBudget::~MemoryBudget() { state_->system = {}; }

MemoryBudget::Taken MemoryBudget::take(size_t bytes, std::string_view what) {
    State& s = *state_;
    const bool ask = s.capacity != unlimited || (s.system.ask_first && bytes >= worth_asking);
    if (const size_t available = ask ? s.available() : unlimited; bytes > available)
        throw OutOfMemory(
            fmt::format("{}: {} are needed, {} available", what, words_of_bytes(bytes), words_of_bytes(available)));
    return count(bytes);
}

MemoryBudget::Taken MemoryBudget::count(size_t bytes) {
    State& s = *state_;
    Taken taken;
    taken.counted_ = std::shared_ptr<void>(nullptr, [state = state_, bytes](void*) { state->taken -= bytes; });
    s.taken += bytes;
    s.most_taken = std::max<size_t>(s.most_taken, s.taken);
    return taken;
}

void MemoryBudget::Kept::use() {
    if (!entry_) return;
    State& state = *entry_->state;
    state.entries.splice(state.entries.begin(), state.entries, entry_->at);
    entry_->frame = state.frame;
}

MemoryBudget::Kept MemoryBudget::keep(size_t bytes, std::function<void()> give_up) {
    State& s = *state_;
    if (bytes > room()) s.give_up(bytes - room(), s.frame);
    Kept kept;
    kept.entry_ = std::make_shared<Entry>(state_, bytes, std::move(give_up));
    return kept;
}

bool MemoryBudget::reclaim() { return state_->system.reclaim && state_->system.reclaim() > 0; }

bool MemoryBudget::free_memory(size_t bytes) {
    State& s = *state_;
    if (s.give_up(std::max<size_t>(bytes, 1), s.frame) == 0) return false;
    reclaim();
    return true;
}

void MemoryBudget::next_frame() {
    State& s = *state_;
    const long long idle_since = s.frame - 2;  // used in a frame before the last two
    ++s.frame;
    size_t count = 0, idle = 0, beyond = 0;
    for (const Entry* entry : s.entries) {
        if (entry->frame > idle_since) continue;
        idle += entry->bytes;
        if (++count > most_idle && idle > idle_bytes) beyond += entry->bytes;
    }
    if (beyond > 0) s.give_up(beyond, idle_since);
}

size_t MemoryBudget::limit() const { return state_->limit; }
size_t MemoryBudget::kept() const { return state_->kept; }
size_t MemoryBudget::room() const { return state_->limit - std::min(state_->limit, state_->kept); }
size_t MemoryBudget::taken() const { return state_->taken; }
size_t MemoryBudget::most_taken() const { return state_->most_taken; }
size_t MemoryBudget::available() const { return state_->available(); }

void MemoryBudget::set_limit(size_t bytes) {
    State& s = *state_;
    s.limit = bytes;
    if (s.kept > bytes) s.give_up(s.kept - bytes, s.frame);
}

void MemoryBudget::set_capacity(size_t bytes) { state_->capacity = bytes; }

namespace {

// The last sixteenth is left to others: nobody likes to be the program that makes a machine swap.
size_t available() {
    const size_t bytes = available_host_memory();
    return bytes == MemoryBudget::unlimited ? bytes : bytes - bytes / 16;
}

}  // namespace

HostMemory::HostMemory(MemoryBudget& budget, size_t bytes, const std::string& what, Contents contents) {
    budget.obtain(bytes, [&] {
        taken_ = budget.take(bytes, what);
        const size_t most = std::max<size_t>(bytes, 1);
        memory_.reset(contents == Contents::zeros ? std::calloc(most, 1) : std::malloc(most));
        if (!memory_) {
            taken_ = {};
            throw OutOfMemory(fmt::format("{}: the system refuses {}", what, words_of_bytes(bytes)));
        }
    });
}

MemoryBudget host_budget() {
    const size_t now = available();
    return {memory_plan({.available = now, .total = now}).kept, {.available = available, .ask_first = true}};
}

struct Scratch::Held {
    std::shared_ptr<void> memory;
    size_t bytes = 0;
    MemoryBudget::Kept kept;

    void give_up() {
        if (memory.use_count() > 1) return;
        memory.reset();
        bytes = 0;
        kept = {};
    }
};

Scratch::Scratch() : held_(std::make_unique<Held>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

bool Scratch::empty() const { return !held_->memory; }

std::shared_ptr<void> Scratch::at_least(BackendMemory& backend, size_t bytes) {
    if (bytes == 0) return nullptr;
    constexpr size_t large = size_t(64) << 20;
    Held& held = *held_;
    const bool too_large = held.bytes / 8 > std::max(bytes, large);
    if (held.memory && bytes <= held.bytes && !too_large) {
        held.kept.use();
        return held.memory;
    }
    held.memory.reset();
    held.kept = {};
    held.bytes = 0;
    std::shared_ptr<void> memory = backend.allocate(bytes);
    if (bytes >= kept_bytes) held.kept = backend.memory().keep(bytes, [&held] { held.give_up(); });
    held.memory = memory;
    held.bytes = bytes;
    return memory;
}

}  // namespace texelscope
