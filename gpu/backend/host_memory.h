#pragma once
// HostMemory: memory of the CPU backend, counted before it is taken.

#include <cstdlib>
#include <memory>
#include <string>

#include "gpu/backend/memory_budget.h"

namespace texelscope {

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

}  // namespace texelscope
