#pragma once
// CUDA devices, and their memory: taken and given back, whose a pointer is, taps and images in it.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"
#include "gpu/backend/interfaces.h"
#include "gpu/backend/job.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/cuda_check.h"
#include "gpu/core/machine.h"
#include "gpu/display/display.h"
#include "gpu/method/box.h"
#include "gpu/method/long_taps.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// CUDA devices: the current one, what one can do, those that CUDA shows to this process, and a backend on one.

// Makes a device the calling thread's current one until the end of the scope, then the caller's again.
class OnDevice {
public:
    explicit OnDevice(int device);  // throws DeviceLost or Error
    OnDevice(int device,
             std::nothrow_t) noexcept;  // for destructors: if the device does not answer, nothing changes
    ~OnDevice();
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

private:
    int before_ = 0, device_ = 0;
};

// The calling thread's current device; 0 if CUDA does not answer.
int current_device() noexcept;

// Makes it the calling thread's current one for good, if possible.
void stay_on_device(int device) noexcept;

// Throws Error if the device does not answer.
DeviceLimits limits_of_device(int device);

// The devices that CUDA shows to this process.

class CudaDevices final : public Devices {
public:
    int count(std::string& why_none) override;
    DeviceAnswer ask(int device) override;
};

// The BackendInfo of `device`, the calling thread's current one; with limits no better than `lower`. Throws Error if
// the device does not answer.
BackendInfo info_of_device(int device, const std::optional<DeviceLimits>& lower);

// The CUDA backend, for files that know that the build has one.

// On options.device, which is required. Throws OutOfMemory, DeviceLost or Error if it cannot be used.
std::shared_ptr<Backend> make_cuda_backend(const CudaOptions& options);

// Whether kernels of this program run on a device: one is launched there.

struct ProbeResult {
    cudaError_t error = cudaSuccess;
    bool right = false;  // the kernel wrote what it should
    CodeVersions code;   // of the code that ran there
};

// On the calling thread's current device. Clears CUDA's error afterwards, unless it is permanent.
ProbeResult probe_current_device();

// For this program's code on the current device. Throws Error.
CodeVersions code_on_current_device();

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

// The times of renderings, by their timers (Backend::last_render_ms).
class RenderWatches {
public:
    // Both do nothing without a timer.
    void start(int timer, cudaStream_t stream) {
        check_timer(timer);
        if (timer == no_timer) return;
        std::optional<CudaStopWatch>& watch = watches_[size_t(timer)];
        if (!watch) watch.emplace();
        watch->start(stream);
    }
    void stop(int timer, cudaStream_t stream) {
        if (timer != no_timer) watches_[size_t(timer)]->stop(stream);
    }
    std::optional<double> last_ms(int timer) {
        check_timer(timer);
        return timer == no_timer || !watches_[size_t(timer)] ? std::nullopt : watches_[size_t(timer)]->last_ms();
    }

private:
    std::array<std::optional<CudaStopWatch>, timer_count> watches_;
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

    // The caller's stream may end before the last memory does, which is then freed at once. Waits for the caller's stream.
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

// Boxes in memory of the device.
struct DeviceSpans {
    std::shared_ptr<void> memory;
    BoxSpansView view;
};

// Throws OutOfMemory.
DeviceSpans device_spans(BackendMemory& backend, const Boxes& boxes);

// Keeps what was copied last: it needs no copy again, for which the host would wait.
template <class OnHost, class OnDevice> class KeptOnDevice {
public:
    using Copy = OnDevice (*)(BackendMemory&, const OnHost&);

    // In the backend's memory; it must outlive this.
    KeptOnDevice(BackendMemory& backend, Copy copy) : backend_(backend), copy_(copy) {}

    // `numbers`: the size of it. Throws OutOfMemory.
    OnDevice get(const OnHost& what, size_t numbers) {
        constexpr size_t most = 16, most_numbers = 1 << 18;
        if (numbers > most_numbers) return copy_(backend_, what);
        const auto found =
            std::find_if(kept_.begin(), kept_.end(), [&](const auto& each) { return each.first == what; });
        if (found != kept_.end()) {
            kept_.splice(kept_.begin(), kept_, found);
        } else {
            kept_.emplace_front(what, copy_(backend_, what));
            if (kept_.size() > most) kept_.pop_back();
        }
        return kept_.front().second;
    }

private:
    BackendMemory& backend_;
    Copy copy_;
    std::list<std::pair<OnHost, OnDevice>> kept_;  // the most recently used first
};

// The colours of maps in a backend's memory.
class DeviceColours {
public:
    explicit DeviceColours(BackendMemory& backend) : backend_(backend) {}  // which must outlive this
    const uint32_t* get(ColourMap map);                                    // throws OutOfMemory

private:
    BackendMemory& backend_;
    std::map<ColourMap, std::shared_ptr<void>> tables_;
};

// An image in device memory: linear for the path `global`, an array with textures for `lookup` and `hardware`.

class CudaImage final : public ResidentImage {
public:
    // Room for a copy of samples in host memory.
    struct Copied {
        ImageView image;
    };
    CudaImage(const Copied& samples, MemoryBudget& budget, std::shared_ptr<DeviceHeap> heap);

    // Rows begin … end − 1 of the image that it was made for, copied before this returns.
    void copy_rows(const ImageView& image, int begin, int end, cudaStream_t stream);

    // Over the caller's device memory.
    CudaImage(const ImageView& view, MemoryBudget& budget, std::shared_ptr<DeviceHeap> heap);
    ~CudaImage() override;

    // Room for texels to be computed from those of `source`.
    CudaImage(const CudaImage& source, const TexelArray& array, bool holds_coefficients);

    // For another backend from now on. What was made for the texture unit is freed; nothing may be reading it.
    void hand_over(MemoryBudget& budget, const std::shared_ptr<DeviceHeap>& heap) const;
    bool is_on(int device) const { return heap_->device() == device; }

    bool holds_coefficients() const { return holds_coefficients_; }
    const TexelArray& texels() const { return texels_; }
    void* computed() { return linear_.get(); }

    // Whether a two-dimensional image is within the texture unit's limits.
    bool fits_texture(const DeviceLimits& limits) const {
        return stored_width() <= size_t(limits.texture_width) && stored_height() <= size_t(limits.texture_height);
    }

    // Whether there is an array for the texture unit, or memory for one beside all that is kept: it is then made. Once
    // refused, it is not requested again.
    bool can_have_array(const DeviceLimits& limits, cudaStream_t stream) const;

    // Fills in the texture handles for these address modes, valid as long as the result is held. The array is made at
    // the first call, enqueued on the stream after whatever writes the linear memory there. Throws OutOfMemory, or
    // Error if the texture unit's limits forbid it.
    std::shared_ptr<const void> attach_textures(TexelArray& array, FetchPath path, const DeviceLimits& limits,
                                                cudaStream_t stream) const;

private:
    struct Textures {
        CudaTexture point, linear;
    };
    // A copy of the texels for the texture unit.
    struct Array {
        MemoryBudget::Taken taken;
        CudaArray array;
        std::map<int, Textures> textures;  // by address pair
    };

    size_t stored_width() const { return size_t(width_) + 2 * size_t(texels_.margin_x); }
    size_t stored_height() const { return size_t(height_) + 2 * size_t(texels_.margin_y); }
    size_t stored_row() const;  // bytes, without padding
    void allocate();
    void check_limits(const DeviceLimits& limits) const;
    std::shared_ptr<Array> made_array(cudaStream_t stream) const;
    void keep_array(std::shared_ptr<Array> array) const;
    void wait_for_readers() const;
    CudaTexture make_texture(const AddressPair& address, bool normalised, cudaTextureFilterMode filter) const;
    CudaTexture make_linear_memory_texture(const DeviceLimits& limits) const;

    TexelArray texels_;
    bool holds_coefficients_;
    mutable MemoryBudget* budget_;
    mutable std::shared_ptr<DeviceHeap> heap_;
    mutable DeviceMemory linear_;  // empty for the caller's memory
    // Made when a path first needs them, given up when memory is needed; the image itself does not change.
    mutable std::shared_ptr<Array> array_;
    mutable MemoryBudget::Kept kept_array_;
    mutable bool array_refused_ = false;
    mutable CudaTexture linear_memory_texture_;  // for a signal, for tex1Dfetch
};

}  // namespace texelscope
