#include "gpu/interop/present_target.h"

#if TEXELSCOPE_WITH_CUDA

#include <algorithm>
#include <array>

// after glad, which includes GL's types
#include <cuda_gl_interop.h>

#include "gpu/backend/cuda_memory.h"

namespace texelscope {
namespace {

// Host memory that the GPU reads and writes directly.
using PinnedMemory = CudaOwner<void*, cudaFreeHost>;

// Throws OutOfMemory or Error, starting with `what`.
PinnedMemory allocate_pinned_memory(size_t bytes, const char* what) {
    void* memory = nullptr;
    cuda_check(cudaMallocHost(&memory, bytes), what);
    return PinnedMemory(memory);
}

using Registration = CudaOwner<cudaGraphicsResource_t, cudaGraphicsUnregisterResource>;

class RegisteredTarget final : public PresentTarget {
public:
    // Registers and maps one texel immediately, to detect here a driver without interop, or one whose mapped memory the
    // backend would refuse.
    explicit RegisteredTarget(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {
        resize(4);
        try {
            backend_->check_memory(acquire().data, "the mapped pixels");
        } catch (const Error&) {
            if (mapped_) cuda_ignore(end_mapping());
            throw;
        }
        release();
    }
    ~RegisteredTarget() override {
        if (mapped_) cuda_ignore(end_mapping());
    }
    Rung rung() const override { return Rung::cuda_gl; }
    unsigned buffer() const override { return buffer_.name(); }

    void resize(size_t bytes) override {
        const size_t room = buffer_room(bytes, bytes_);
        if (room == bytes_) return;
        const OnDevice device(backend_->info().device_index);
        registration_.reset();
        bytes_ = 0;
        buffer_.allocate(room);
        cudaGraphicsResource_t resource = nullptr;
        cuda_check(cudaGraphicsGLRegisterBuffer(&resource, buffer_.name(), cudaGraphicsRegisterFlagsWriteDiscard),
                   "cannot register the pixel buffer with CUDA");
        registration_ = Registration(resource);
        bytes_ = room;
    }

private:
    WritablePixels map() override {
        const OnDevice device(backend_->info().device_index);
        cudaGraphicsResource_t resource = registration_.get();
        cuda_check(cudaGraphicsMapResources(1, &resource, backend_->stream()), "cannot map the pixel buffer");
        mapped_ = true;
        WritablePixels pixels;
        const cudaError_t error = cudaGraphicsResourceGetMappedPointer(&pixels.data, &pixels.size_bytes, resource);
        if (error != cudaSuccess) cuda_ignore(end_mapping());  // the first error is the one to report
        cuda_check(error, "cannot reach the mapped pixel buffer");
        return pixels;
    }

    bool unmap() override {
        cuda_check(end_mapping(), "cannot unmap the pixel buffer");
        return true;
    }

    cudaError_t end_mapping() {
        mapped_ = false;
        const OnDevice device(backend_->info().device_index, std::nothrow);  // the destructor unmaps as well
        cudaGraphicsResource_t resource = registration_.get();
        return cudaGraphicsUnmapResources(1, &resource, backend_->stream());
    }

    std::shared_ptr<Backend> backend_;
    PixelBuffer buffer_;
    Registration registration_;  // after the buffer: unregistered before the buffer is deleted
    size_t bytes_ = 0;
    bool mapped_ = false;
};

class StagedTarget final : public PresentTarget {
public:
    // Allocates a little memory of each kind immediately, to detect here a device without any.
    explicit StagedTarget(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) { resize(4); }
    Rung rung() const override { return Rung::cuda_staged; }
    unsigned buffer() const override { return buffer_.name(); }

    void resize(size_t bytes) override {
        used_ = 0;
        if (const size_t room = buffer_room(bytes, held_); room != held_) {
            held_ = 0;
            const OnDevice device(backend_->info().device_index);
            device_.reset();
            pinned_.reset();
            device_ = backend_->allocate(room);
            pinned_ = allocate_pinned_memory(room, "no pinned memory for the picture");
            buffer_.allocate(room);
            held_ = room;
        }
        used_ = bytes;
    }

private:
    WritablePixels map() override { return {device_.get(), held_}; }

    bool unmap() override {
        const OnDevice device(backend_->info().device_index);
        cuda_check(cudaMemcpyAsync(pinned_.get(), device_.get(), used_, cudaMemcpyDeviceToHost, backend_->stream()),
                   "cannot copy the picture from the GPU");
        backend_->synchronize();
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_.name());
        glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr(used_), pinned_.get());
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        return true;
    }

    std::shared_ptr<Backend> backend_;
    PixelBuffer buffer_;
    std::shared_ptr<void> device_;
    PinnedMemory pinned_;
    size_t held_ = 0, used_ = 0;  // bytes: of the buffers, and of the picture in them
};

}  // namespace

std::vector<int> cuda_devices_of_gl_context(std::string& why_none) {
    std::array<int, 32> devices{};
    unsigned count = 0;
    const cudaError_t error = cudaGLGetDevices(&count, devices.data(), unsigned(devices.size()), cudaGLDeviceListAll);
    cuda_ignore(error);
    if (error == cudaSuccess && count > 0)
        return {devices.begin(), devices.begin() + std::min<size_t>(count, devices.size())};
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    why_none =
        std::string("no CUDA device drives this OpenGL context (") + (renderer ? renderer : "unknown renderer") + ")";
    return {};
}

std::unique_ptr<PresentTarget> make_registered_target(std::shared_ptr<Backend> backend) {
    return std::make_unique<RegisteredTarget>(std::move(backend));
}

std::unique_ptr<PresentTarget> make_staged_target(std::shared_ptr<Backend> backend) {
    return std::make_unique<StagedTarget>(std::move(backend));
}

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
