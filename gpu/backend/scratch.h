#pragma once
// Scratch: memory of a backend for intermediate values, which grows as needed and is used again.

#include <memory>

#include "gpu/backend/memory_budget.h"

namespace texelscope {

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
