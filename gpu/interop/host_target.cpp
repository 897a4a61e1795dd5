#include <vector>

#include "gpu/interop/pixel_buffer.h"
#include "gpu/interop/present_target.h"

namespace texelscope {
namespace {

class HostTarget final : public PresentTarget {
public:
    ~HostTarget() override {
        if (mapped_) buffer_.unmap();
    }
    Rung rung() const override { return Rung::cpu; }
    unsigned buffer() const override { return buffer_.name(); }

    void resize(size_t bytes) override {
        used_ = 0;
        if (const size_t room = buffer_room(bytes, held_); room != held_) {
            held_ = 0;
            buffer_.allocate(room);
            held_ = room;
        }
        used_ = bytes;
    }

private:
    WritablePixels map() override {
        const WritablePixels pixels{buffer_.map(used_), used_};
        mapped_ = true;
        return pixels;
    }

    bool unmap() override {
        mapped_ = false;
        return buffer_.unmap();
    }

    PixelBuffer buffer_;
    size_t held_ = 0, used_ = 0;  // bytes: of the buffer, and of the picture in it
    bool mapped_ = false;
};

}  // namespace

std::unique_ptr<PresentTarget> make_host_target() { return std::make_unique<HostTarget>(); }

namespace {

class CopyAtOnce final : public HostCopy {
public:
    explicit CopyAtOnce(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

    void start(const void* memory, size_t bytes) override {
        started_ = false;
        values_.resize(bytes);
        backend_->read_back(values_.data(), memory, bytes);
        started_ = true;
    }
    bool ready() override { return started_; }
    const void* data() const override { return values_.data(); }

private:
    std::shared_ptr<Backend> backend_;
    std::vector<std::byte> values_;
    bool started_ = false;
};

}  // namespace

std::unique_ptr<HostCopy> make_host_copy(std::shared_ptr<Backend> backend) {
#if TEXELSCOPE_WITH_CUDA
    if (backend->info().kind == BackendKind::cuda) return make_enqueued_copy(std::move(backend));
#endif
    return std::make_unique<CopyAtOnce>(std::move(backend));
}

}  // namespace texelscope
