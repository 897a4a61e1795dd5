#include "gpu/backend/scratch.h"

#include <algorithm>

#include "gpu/backend/interfaces.h"

namespace texelscope {

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
