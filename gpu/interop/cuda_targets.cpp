#include "gpu/interop/targets.h"

#if TEXELSCOPE_WITH_CUDA

#include "gpu/interop/pixel_buffer.h"
// after glad, which brings GL's types
#include <cuda_gl_interop.h>

#include "gpu/interop/cuda_pinned.h"

namespace texelscope {
namespace {

using Registration = CudaOwner<cudaGraphicsResource_t, cudaGraphicsUnregisterResource>;

class RegisteredTarget final : public PresentTarget {
public:
    // One texel is registered and mapped at once, so that a driver without interop is found out here, or one whose mapped
    // memory the backend would refuse.
    explicit RegisteredTarget(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {
        resize(4);
        try {
            backend_->check_memory(acquire().data, "the mapped pixels");
        } catch (const Error&) {
            if (mapped_) cuda_ignore(unmap());
            throw;
        }
        release();
    }
    ~RegisteredTarget() override {
        if (mapped_) cuda_ignore(unmap());
    }
    Rung rung() const override { return Rung::cuda_gl; }
    unsigned buffer() const override { return buffer_.name(); }

    void resize(size_t bytes) override {
        if (bytes == bytes_) return;
        const OnDevice device(backend_->info().device_index);
        registration_.reset();
        bytes_ = 0;
        buffer_.allocate(bytes);
        cudaGraphicsResource_t resource = nullptr;
        cuda_check(cudaGraphicsGLRegisterBuffer(&resource, buffer_.name(), cudaGraphicsRegisterFlagsWriteDiscard),
                   "cannot register the pixel buffer with CUDA");
        registration_ = Registration(resource);
        bytes_ = bytes;
    }

    WritablePixels acquire() override {
        const StopWatch watch;
        const OnDevice device(backend_->info().device_index);
        cudaGraphicsResource_t resource = registration_.get();
        cuda_check(cudaGraphicsMapResources(1, &resource, backend_->stream()), "cannot map the pixel buffer");
        mapped_ = true;
        WritablePixels pixels;
        const cudaError_t error =
            cudaGraphicsResourceGetMappedPointer(&pixels.data, &pixels.size_bytes, resource);
        if (error != cudaSuccess) cuda_ignore(unmap());  // the first error is the one to tell
        cuda_check(error, "cannot reach the mapped pixel buffer");
        acquire_ms_ = watch.ms();
        return pixels;
    }

    void release() override {
        const StopWatch watch;
        cuda_check(unmap(), "cannot unmap the pixel buffer");
        release_ms_ = watch.ms();
    }

private:
    cudaError_t unmap() {
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
    explicit StagedTarget(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
    Rung rung() const override { return Rung::cuda_staged; }
    unsigned buffer() const override { return buffer_.name(); }

    void resize(size_t bytes) override {
        if (bytes == bytes_) return;
        bytes_ = 0;
        const OnDevice device(backend_->info().device_index);
        device_.reset();
        pinned_.reset();
        device_ = allocate_device_memory(bytes);
        pinned_ = allocate_pinned_memory(bytes, "no pinned memory for the picture");
        buffer_.allocate(bytes);
        bytes_ = bytes;
    }

    WritablePixels acquire() override { return {device_.get(), bytes_}; }

    void release() override {
        const StopWatch watch;
        const OnDevice device(backend_->info().device_index);
        cuda_check(cudaMemcpyAsync(pinned_.get(), device_.get(), bytes_, cudaMemcpyDeviceToHost, backend_->stream()),
                   "cannot copy the picture from the GPU");
        backend_->synchronize();
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_.name());
        glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr(bytes_), pinned_.get());
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        release_ms_ = watch.ms();
    }

private:
    std::shared_ptr<Backend> backend_;
    PixelBuffer buffer_;
    CudaMemory device_;
    PinnedMemory pinned_;
    size_t bytes_ = 0;
};

}  // namespace

int cuda_device_of_gl_context(std::string& reason) {
    unsigned count = 0;
    int device = -1;
    const cudaError_t error = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
    if (error == cudaSuccess && count > 0) return device;
    cuda_ignore(error);
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    reason = std::string("no CUDA device drives this OpenGL context (") + (renderer ? renderer : "unknown renderer") + ")";
    return -1;
}

std::unique_ptr<PresentTarget> make_registered_target(std::shared_ptr<Backend> backend) {
    return std::make_unique<RegisteredTarget>(std::move(backend));
}

std::unique_ptr<PresentTarget> make_staged_target(std::shared_ptr<Backend> backend) {
    return std::make_unique<StagedTarget>(std::move(backend));
}

}  // namespace texelscope

#endif
