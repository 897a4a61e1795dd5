#include "gpu/interop/targets.h"

#if TEXELSCOPE_WITH_CUDA

#include "gpu/interop/cuda_pinned.h"

namespace texelscope {
namespace {

// On the backend's own stream: the values have arrived once the event after them has.
class EnqueuedCopy final : public HostCopy {
public:
    explicit EnqueuedCopy(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {
        const OnDevice device(backend_->info().device_index);
        cudaEvent_t event = nullptr;
        cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cannot create a CUDA event");
        arrived_ = CudaEvent(event);
    }

    void start(const void* memory, size_t bytes) override {
        started_ = false;
        const OnDevice device(backend_->info().device_index);
        if (bytes > bytes_) {
            bytes_ = 0;
            pinned_.reset();
            pinned_ = allocate_pinned_memory(bytes, "no pinned memory for values from the GPU");
            bytes_ = bytes;
        }
        cuda_check(cudaMemcpyAsync(pinned_.get(), memory, bytes, cudaMemcpyDeviceToHost, backend_->stream()),
                   "cannot copy values from the GPU");
        cuda_check(cudaEventRecord(arrived_.get(), backend_->stream()), "cannot follow a copy from the GPU");
        started_ = true;
    }

    bool ready() override {
        if (!started_) return false;
        const OnDevice device(backend_->info().device_index);
        const cudaError_t error = cudaEventQuery(arrived_.get());
        if (error == cudaErrorNotReady) {
            cuda_ignore(error);
            return false;
        }
        cuda_check(error, "the GPU stopped with an error");
        return true;
    }

    const void* data() const override { return pinned_.get(); }

private:
    std::shared_ptr<Backend> backend_;
    PinnedMemory pinned_;
    CudaEvent arrived_;
    size_t bytes_ = 0;
    bool started_ = false;
};

}  // namespace

std::unique_ptr<HostCopy> make_enqueued_copy(std::shared_ptr<Backend> backend) {
    return std::make_unique<EnqueuedCopy>(std::move(backend));
}

}  // namespace texelscope

#endif
