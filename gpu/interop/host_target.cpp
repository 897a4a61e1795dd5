#include "gpu/interop/pixel_buffer.h"
#include "gpu/interop/targets.h"

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
        if (bytes == bytes_) return;
        bytes_ = 0;
        buffer_.allocate(bytes);
        bytes_ = bytes;
    }

    WritablePixels acquire() override {
        const StopWatch watch;
        WritablePixels pixels{buffer_.map(bytes_), bytes_};
        mapped_ = true;
        acquire_ms_ = watch.ms();
        return pixels;
    }

    void release() override {
        const StopWatch watch;
        buffer_.unmap();
        mapped_ = false;
        release_ms_ = watch.ms();
    }

private:
    PixelBuffer buffer_;
    size_t bytes_ = 0;
    bool mapped_ = false;
};

}  // namespace

std::unique_ptr<PresentTarget> make_host_target() { return std::make_unique<HostTarget>(); }

}  // namespace texelscope
