#pragma once
// Device memory: taken and given back, whose a pointer is, taps in it.

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <cuda_runtime.h>

#include "gpu/backend/cuda_device.h"
#include "gpu/backend/interfaces.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/cuda_check.h"
#include "gpu/method/box.h"
#include "gpu/method/long_taps.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// CUDA objects as move-only owners.

// Owner of one handle that `destroy` frees, on the device that was current when it was made; null means "nothing".
template <class Handle, cudaError_t (*destroy)(Handle)> class CudaOwner {
public:
    CudaOwner() = default;
    explicit CudaOwner(Handle handle) : handle_(handle), device_(current_device()) {}
    ~CudaOwner() { reset(); }
    CudaOwner(CudaOwner&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})), device_(other.device_) {}
    CudaOwner& operator=(CudaOwner&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(device_, other.device_);
        return *this;
    }
    CudaOwner(const CudaOwner&) = delete;
    CudaOwner& operator=(const CudaOwner&) = delete;

    Handle get() const { return handle_; }
    int device() const { return device_; }
    explicit operator bool() const { return handle_ != Handle{}; }
    void reset() {
        if (handle_ == Handle{}) return;
        const OnDevice device(device_, std::nothrow);
        cuda_ignore(destroy(std::exchange(handle_, Handle{})));
    }

private:
    Handle handle_{};
    int device_ = 0;
};

using CudaStream = CudaOwner<cudaStream_t, cudaStreamDestroy>;
CudaStream make_stream();  // of the current device, which waits for no other; throws Error
using CudaEvent = CudaOwner<cudaEvent_t, cudaEventDestroy>;
using CudaArray = CudaOwner<cudaArray_t, cudaFreeArray>;
using CudaTexture = CudaOwner<cudaTextureObject_t, cudaDestroyTextureObject>;
using CudaMemory = CudaOwner<void*, cudaFree>;

// Time between two points of a stream. Reading never waits: it gives the last pair that has finished.
class CudaStopWatch {
public:
    CudaStopWatch();
    void start(cudaStream_t stream);
    void stop(cudaStream_t stream);
    std::optional<double> last_ms();  // empty before the first pair has finished

private:
    CudaEvent start_, stop_;
    bool pending_ = false, measuring_ = false;
    std::optional<double> last_ms_;
};

// Device memory in the order of a stream: neither taking nor giving back waits for the device. What is given back stays
// in a pool of the process, up to a part of the device's memory, until it is taken again or returned to the system. On
// devices without pools, memory is allocated and freed at once, as cudaMalloc and cudaFree do.

// Memory for the work of one stream. Shared by the backend, whose stream it is, and by all memory taken from it.
class DeviceHeap {
public:
    // For the stream `owned`, or for the caller's `stream` if there is none. The current device's.
    DeviceHeap(CudaStream owned, cudaStream_t stream);
    DeviceHeap(const DeviceHeap&) = delete;
    DeviceHeap& operator=(const DeviceHeap&) = delete;

    cudaStream_t stream() const { return stream_; }
    int device() const { return device_; }

    // Memory for what is enqueued from now on. Throws OutOfMemory, which says how much was requested and how much is
    // free, or Error.
    void* allocate(size_t bytes);
    // Once what is enqueued has ended.
    void free(void* memory) noexcept;

    // Bytes that could still be allocated.
    size_t available() const;

    // Returns what is in the pool and not in use to the system: how many bytes. Waits for the stream.
    size_t reclaim();

    // The caller's stream may end before the last memory does, which is then freed at once.
    void leave_stream();

private:
    CudaStream owned_;
    cudaStream_t stream_;
    int device_;
    cudaMemPool_t pool_;       // null: none
    unsigned life_of_device_;  // after a reset of the device its memory is no more
    bool stream_left_ = false;
};

// Device memory that a backend's budget counts.
class DeviceMemory {
public:
    DeviceMemory() = default;
    ~DeviceMemory() { reset(); }
    DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
    DeviceMemory& operator=(DeviceMemory&& other) noexcept {
        swap(other);
        return *this;
    }

    void* get() const { return memory_; }
    explicit operator bool() const { return memory_; }
    void reset();

    // For another budget and stream from now on. What was enqueued on the old one must have ended.
    void hand_over(MemoryBudget::Taken taken, std::shared_ptr<DeviceHeap> heap);

private:
    friend DeviceMemory take_device_memory(MemoryBudget&, const std::shared_ptr<DeviceHeap>&, size_t);
    void swap(DeviceMemory& other) noexcept;

    MemoryBudget::Taken taken_;
    std::shared_ptr<DeviceHeap> heap_;
    void* memory_ = nullptr;
};

// After giving up what the budget keeps if there is not enough. Throws OutOfMemory or Error.
DeviceMemory take_device_memory(MemoryBudget& budget, const std::shared_ptr<DeviceHeap>& heap, size_t bytes);

// The device has been reset, and all its memory is gone.
void forget_pool(int device);

// The owner of the memory that a pointer points into.

// pageable, pinned and registered memory of the host are alike: textures cannot be made from any of it.
enum class MemoryKind { host, device, managed };

// As seen from this device. Throws Error for memory of another device, DeviceLost if CUDA no longer answers.
MemoryKind memory_kind(const void* memory, int device, std::string_view name);

// Throws Error if kernels on the device must not read and write it: null, memory of the host or of another device.
void check_device_memory(const void* memory, int device, std::string_view name);

// Throws Error if the host cannot read and write it: null, or memory of a device.
void check_not_device_memory(const void* memory, std::string_view name);

// Taps of any length in a backend's memory.

// Given back in the order of the backend's queue.
struct DeviceTaps {
    std::shared_ptr<void> first, weights;
    LongTapsView view;
};

// Throws OutOfMemory.
DeviceTaps device_taps(BackendMemory& backend, const LongTaps& taps);

// The same of boxes.
struct DeviceSpans {
    std::shared_ptr<void> memory;
    BoxSpansView view;
};

// Throws OutOfMemory.
DeviceSpans device_spans(BackendMemory& backend, const Boxes& boxes);

// Keeps copies of the taps that were used last: those need no copy again, for which the host would wait.
class KeptTaps {
public:
    // In the backend's memory; it must outlive this.
    explicit KeptTaps(BackendMemory& backend) : backend_(backend) {}
    DeviceTaps get(const LongTaps& taps);  // throws OutOfMemory

private:
    BackendMemory& backend_;
    std::list<std::pair<LongTaps, DeviceTaps>> taps_;  // the most recently used first
};

}  // namespace texelscope
