#include "gpu/backend/cuda_memory.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gpu/core/cuda_check.h"
#include "gpu/core/errors.h"

namespace texelscope {

CudaStream make_stream() {
    cudaStream_t stream = nullptr;
    cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cannot create a CUDA stream");
    return CudaStream(stream);
}

CudaStopWatch::CudaStopWatch() {
    cudaEvent_t event = nullptr;
    cuda_check(cudaEventCreate(&event), "cannot create a CUDA event");
    start_ = CudaEvent(event);
    cuda_check(cudaEventCreate(&event), "cannot create a CUDA event");
    stop_ = CudaEvent(event);
}

// While a pair is under way, a new one is skipped rather than waited for.
void CudaStopWatch::start(cudaStream_t stream) {
    last_ms();
    measuring_ = !pending_;
    if (measuring_) cuda_check(cudaEventRecord(start_.get(), stream), "cannot time the GPU's work");
}

void CudaStopWatch::stop(cudaStream_t stream) {
    if (!measuring_) return;
    measuring_ = false;
    cuda_check(cudaEventRecord(stop_.get(), stream), "cannot time the GPU's work");
    pending_ = true;
}

std::optional<double> CudaStopWatch::last_ms() {
    if (!pending_) return last_ms_;
    cudaError_t error = cudaEventQuery(stop_.get());
    if (error == cudaSuccess) {
        float ms = 0;
        error = cudaEventElapsedTime(&ms, start_.get(), stop_.get());
        if (error == cudaSuccess) last_ms_ = ms;
        pending_ = false;
    }
    cuda_ignore(
        error);  // "not ready" must not reach the caller's next cudaGetLastError; a lost device is reported elsewhere
    return last_ms_;
}

namespace {

// Never destroyed: a driver may end before the process's static objects do.
struct Pools {
    struct OfDevice {
        cudaMemPool_t pool = nullptr;
        bool made = false;
        unsigned life = 0;
    };
    std::mutex mutex;
    std::map<int, OfDevice> of_device;
};
Pools& pools() {
    static Pools& pools = *new Pools;
    return pools;
}

// Null for a device without pools.
cudaMemPool_t make_pool(int device) {
    int supported = 0;
    cuda_ignore(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
    if (!supported) return nullptr;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    cudaMemPool_t pool = nullptr;
    const cudaError_t error = cudaMemPoolCreate(&pool, &properties);
    cuda_ignore(error);
    if (error != cudaSuccess) return nullptr;
    size_t free = 0, total = 0;
    cuda_ignore(cudaMemGetInfo(&free, &total));
    uint64_t stays = total / 8;  // in the pool
    cuda_ignore(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &stays));
    return pool;
}

Pools::OfDevice pool_of(int device) {
    const std::lock_guard lock(pools().mutex);
    Pools::OfDevice& here = pools().of_device[device];
    if (!std::exchange(here.made, true)) here.pool = make_pool(device);
    return here;
}

unsigned life_of(int device) {
    const std::lock_guard lock(pools().mutex);
    return pools().of_device[device].life;
}

size_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
    uint64_t value = 0;
    cuda_ignore(cudaMemPoolGetAttribute(pool, which, &value));
    return value;
}

size_t unused(cudaMemPool_t pool) {
    const size_t reserved = attribute(pool, cudaMemPoolAttrReservedMemCurrent),
                 used = attribute(pool, cudaMemPoolAttrUsedMemCurrent);
    return reserved - std::min(reserved, used);
}

}  // namespace

void forget_pool(int device) {
    const std::lock_guard lock(pools().mutex);
    Pools::OfDevice& here = pools().of_device[device];
    here.pool = nullptr;
    here.made = false;
    ++here.life;
}

DeviceHeap::DeviceHeap(CudaStream owned, cudaStream_t stream)
    : owned_(std::move(owned)), stream_(owned_ ? owned_.get() : stream), device_(current_device()) {
    const Pools::OfDevice here = pool_of(device_);
    pool_ = here.pool;
    life_of_device_ = here.life;
}

void* DeviceHeap::allocate(size_t bytes) {
    void* memory = nullptr;
    const cudaError_t error =
        pool_ ? cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_) : cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        cuda_ignore(error);
        size_t free = 0, total = 0;
        cuda_ignore(cudaMemGetInfo(&free, &total));  // only for the message
        throw OutOfMemory(fmt::format("no memory on the GPU: {} MiB requested, {} MiB of {} MiB are free", bytes >> 20,
                                      free >> 20, total >> 20));
    }
    cuda_check(error, "cannot allocate memory on the GPU");
    return memory;
}

void DeviceHeap::free(void* memory) noexcept {
    if (life_of(device_) != life_of_device_) return;
    const OnDevice device(device_, std::nothrow);
    cuda_ignore(pool_ && !stream_left_ ? cudaFreeAsync(memory, stream_) : cudaFree(memory));
}

size_t DeviceHeap::available() const {
    const OnDevice device(device_);
    size_t free = 0, total = 0;
    cuda_check(cudaMemGetInfo(&free, &total), "cannot ask how much memory of the GPU is free");
    return pool_ ? free + unused(pool_) : free;
}

size_t DeviceHeap::reclaim() {
    if (!pool_) return 0;
    const OnDevice device(device_, std::nothrow);
    cuda_ignore(cudaStreamSynchronize(stream_));  // frees what is enqueued
    const size_t before = attribute(pool_, cudaMemPoolAttrReservedMemCurrent);
    cuda_ignore(cudaMemPoolTrimTo(pool_, 0));
    const size_t after = attribute(pool_, cudaMemPoolAttrReservedMemCurrent);
    return before - std::min(before, after);
}

void DeviceHeap::leave_stream() {
    if (owned_ || std::exchange(stream_left_, true)) return;
    const OnDevice device(device_, std::nothrow);
    cuda_ignore(cudaStreamSynchronize(stream_));  // cudaFree of a pool's memory does not wait for its readers
}

void DeviceMemory::reset() {
    if (memory_) heap_->free(std::exchange(memory_, nullptr));
    heap_.reset();
    taken_ = {};
}

void DeviceMemory::hand_over(MemoryBudget::Taken taken, std::shared_ptr<DeviceHeap> heap) {
    taken_ = std::move(taken);
    heap_ = std::move(heap);
}

void DeviceMemory::swap(DeviceMemory& other) noexcept {
    std::swap(taken_, other.taken_);
    std::swap(heap_, other.heap_);
    std::swap(memory_, other.memory_);
}

DeviceMemory take_device_memory(MemoryBudget& budget, const std::shared_ptr<DeviceHeap>& heap, size_t bytes) {
    return budget.obtain(bytes, [&] {
        DeviceMemory taken;
        taken.taken_ = budget.take(bytes, "no memory on the GPU");
        taken.memory_ = heap->allocate(bytes);
        taken.heap_ = heap;
        return taken;
    });
}

namespace {

cudaPointerAttributes attributes_of(const void* memory) {
    cudaPointerAttributes attributes{};
    const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    if (error != cudaErrorInvalidValue) cuda_check(error, "cannot determine what kind of memory was given");
    else cuda_ignore(error);  // how older versions report that CUDA does not know the memory
    if (error != cudaSuccess) attributes.type = cudaMemoryTypeUnregistered;
    return attributes;
}

}  // namespace

MemoryKind memory_kind(const void* memory, int device, std::string_view name) {
    const cudaPointerAttributes attributes = attributes_of(memory);
    if (attributes.type == cudaMemoryTypeManaged) return MemoryKind::managed;
    if (attributes.type != cudaMemoryTypeDevice) return MemoryKind::host;
    if (attributes.device != device)
        throw Error(fmt::format("{} are in memory of CUDA device {}, but the backend computes on device {}", name,
                                attributes.device, device));
    return MemoryKind::device;
}

void check_device_memory(const void* memory, int device, std::string_view name) {
    if (!memory)
        throw Error(fmt::format("{} are null: give memory of the backend, from allocate() or cudaMalloc", name));
    if (memory_kind(memory, device, name) == MemoryKind::host)
        throw Error(
            fmt::format("{} are in memory of the host: give device memory, from allocate() or cudaMalloc", name));
}

void check_not_device_memory(const void* memory, std::string_view name) {
    if (!memory) throw Error(fmt::format("{} are null: give memory of the host", name));
    if (attributes_of(memory).type == cudaMemoryTypeDevice)
        throw Error(fmt::format("{} are in memory of a GPU: give memory of the host", name));
}

DeviceTaps device_taps(BackendMemory& backend, const LongTaps& taps) {
    const size_t pixels = size_t(taps.pixels()), count = size_t(taps.taps);
    std::vector<float> beside(pixels * count);
    for (size_t i = 0; i < pixels; ++i)
        for (size_t k = 0; k < count; ++k) beside[k * pixels + i] = taps.weights[i * count + k];
    DeviceTaps result{backend.allocate(pixels * sizeof(int)), backend.allocate(beside.size() * sizeof(float)), {}};
    backend.write(result.first.get(), taps.first.data(), pixels * sizeof(int));
    backend.write(result.weights.get(), beside.data(), beside.size() * sizeof(float));
    result.view = {static_cast<const int*>(result.first.get()),
                   static_cast<const float*>(result.weights.get()),
                   taps.taps,
                   taps.pixels(),
                   pixels,
                   1};
    return result;
}

DeviceSpans device_spans(BackendMemory& backend, const Boxes& boxes) {
    std::vector<BoxSpan> all = boxes.x.spans;
    all.insert(all.end(), boxes.y.spans.begin(), boxes.y.spans.end());
    DeviceSpans result{backend.allocate(all.size() * sizeof(BoxSpan)), {}};
    backend.write(result.memory.get(), all.data(), all.size() * sizeof(BoxSpan));
    const auto* const spans = static_cast<const BoxSpan*>(result.memory.get());
    result.view = {spans, spans + boxes.x.spans.size(), boxes.even()};
    return result;
}

const uint32_t* DeviceColours::get(ColourMap map) {
    std::shared_ptr<void>& table = tables_[map];
    if (!table) {
        const auto& colours = colour_table(map);
        std::shared_ptr<void> filled = backend_.allocate(sizeof(colours));
        backend_.write(filled.get(), colours.data(), sizeof(colours));
        table = std::move(filled);
    }
    return static_cast<const uint32_t*>(table.get());
}

}  // namespace texelscope
