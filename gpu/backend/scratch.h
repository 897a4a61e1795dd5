#pragma once
// Scratch: memory of a backend for intermediate values, which grows as needed and is used again.

#include <memory>

#include "gpu/backend/memory_budget.h"

namespace texelscope {

class Backend;

class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

    // At least so many bytes. As long as somebody holds the result it stays; else the backend's budget may give it up,
    // but for the smallest (below kept_bytes). What was in it is lost where it has to grow, is much larger than needed,
    // or was given up. Throws OutOfMemory.
    std::shared_ptr<void> at_least(Backend& backend, size_t bytes);
    static constexpr size_t kept_bytes = 64 << 10;

    // Holds nothing: not asked for yet, or given up.
    bool empty() const;

private:
    struct Held;
    std::unique_ptr<Held> held_;
};

}  // namespace texelscope
