#include "gpu/backend/host_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "gpu/backend/memory_plan.h"
#include "gpu/core/machine.h"

namespace texelscope {
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

}  // namespace texelscope
