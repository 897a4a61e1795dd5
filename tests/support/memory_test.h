#pragma once
// What tests of a backend's memory share.

#include <cstring>
#include <memory>

#include "gpu/backend/memory_budget.h"
#include "tests/support/backends.h"
#include "tests/support/counting_backend.h"

namespace texelscope::test {

inline constexpr size_t mebibyte = size_t(1) << 20;

// Each test has its own backend, whose memory it may fill.
class MemoryTest : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!backend_) return;
        const bool on_cpu = GetParam() == BackendKind::cpu;
        backend_ = std::make_shared<CountingBackend>(make_backend(on_cpu ? BackendChoice::cpu : BackendChoice::cuda));
    }
    CountingBackend& counts() { return static_cast<CountingBackend&>(*backend_); }
    MemoryBudget& memory() { return backend_->memory(); }

    // Limits the memory to what is left.
    void leave(size_t bytes) { memory().set_capacity(memory().taken() + bytes); }
    void leave_all() { memory().set_capacity(MemoryBudget::unlimited); }
};

inline bool same_bits(const Image& a, const Image& b) {
    return a.size_bytes() == b.size_bytes() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace texelscope::test
