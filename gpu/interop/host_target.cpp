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

}  // namespace texelscope
