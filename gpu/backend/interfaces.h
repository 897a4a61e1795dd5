#pragma once
// Parts of a Backend for callers that need no more of it: its memory, showing, comparing. The fourth, Resampler, is in
// resampler.h. All throw as Backend does (backend.h).

#include <cstddef>
#include <memory>
#include <string_view>

namespace texelscope {

class MemoryBudget;
struct BothColours;
struct ColourJob;
struct ComparisonSums;
struct DisplayJob;
struct MeasureJob;
struct Metrics;

// Memory that the backend computes in: the device's for CUDA, the host's for the CPU.
class BackendMemory {
public:
    // What the backend keeps because it may be needed again, and how much it may keep (gpu/backend/memory_budget.h).
    // Every allocation of a backend gives up the least recently used memory before it throws OutOfMemory.
    virtual MemoryBudget& memory() = 0;

    // Memory that resample() can read and write. CUDA takes it, and gives it back, in the order of stream(): other
    // streams may use it once stream() has been waited for, and until the last reference ends. Throws OutOfMemory.
    virtual std::shared_ptr<void> allocate(size_t bytes) = 0;

    // Copies from and to the host. Waits for what was enqueued.
    virtual void write(void* memory, const void* host, size_t bytes) = 0;
    virtual void read_back(void* host, const void* memory, size_t bytes) = 0;

    // Copies within the backend's memory. CUDA: enqueued.
    virtual void copy(void* to, const void* from, size_t bytes) = 0;

    // Waits for all enqueued work.
    virtual void synchronize() = 0;

    // Throws Error, which names the memory, if resample() cannot read and write it: null; on CUDA, memory of the host,
    // pinned or not, or of another device. Managed memory counts as the backend's.
    virtual void check_memory(const void* memory, std::string_view name) const = 0;

    // Throws Error, which names the memory, if the host cannot read and write it: null, or memory of a device.
    virtual void check_host_memory(const void* memory, std::string_view name) const = 0;

protected:
    ~BackendMemory() = default;
};

// Shows values on a screen.
class Displayer {
public:
    // Converts float values to pixels of the screen; the backend sets `colours` of the job. Enqueued like resample().
    virtual void display(DisplayJob job) = 0;

protected:
    ~Displayer() = default;
};

// Figures of merit of two renderings: gpu/compare.
class Comparer {
public:
    // Compares two renderings and writes to memory of the backend; metrics_of() turns that into figures, once it is on
    // the host. Enqueued like resample(). Throws OutOfMemory or Error.
    virtual void compare(const MeasureJob& job, ComparisonSums* sums) = 0;

    // Compares and waits for the figures; `inside`, if not null: those of the part inside.
    virtual Metrics measure(const MeasureJob& job, Metrics* inside = nullptr) = 0;

    // Compares the colours of two renderings; figures_of() turns the sums into figures, once they are on the host.
    // Enqueued like resample(). Throws OutOfMemory or Error.
    virtual void compare_colours(const ColourJob& job, BothColours* sums) = 0;

protected:
    ~Comparer() = default;
};

}  // namespace texelscope
