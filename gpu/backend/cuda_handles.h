#pragma once
// CUDA objects as move-only owners.

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "gpu/backend/cuda_device.h"
#include "gpu/core/cuda_check.h"

namespace texelscope {

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

}  // namespace texelscope
