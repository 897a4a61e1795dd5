#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/backend/device_choice.h"
#include "gpu/core/errors.h"
#include "gpu/interop/present_target.h"

namespace texelscope {
namespace {

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + "; " + b; }

// On a device that runs this program's kernels. `no_interop` says why OpenGL cannot use its memory; empty if that is
// worth trying. Throws Error if not even staged copies are possible.
Presenter cuda_presenter(const LadderParts& parts, const DeviceChoice& choice, std::string no_interop) {
    Presenter presenter;
    presenter.backend = parts.cuda_backend(choice.taken->index);
    presenter.refused = choice.refused;
    if (no_interop.empty()) {
        try {
            presenter.target = parts.registered_target(presenter.backend);
        } catch (const Error& error) {
            no_interop = error.what();
        }
    }
    if (!presenter.target) presenter.target = parts.staged_target(presenter.backend);
    presenter.reason = joined(choice.reason, no_interop);
    return presenter;
}

Presenter cpu_presenter(const LadderParts& parts, std::string reason, bool refused) {
    return {parts.cpu_backend(), parts.host_target(), std::move(reason), refused};
}

}  // namespace

Presenter climb_down(const LadderParts& parts, BackendChoice choice, const PresenterOptions& options) {
    if (choice == BackendChoice::cpu) return cpu_presenter(parts, "the CPU backend was requested", false);
    std::string none = "interop was switched off";
    DeviceWish wish;
    wish.avoid = options.avoid;
    if (options.interop) wish.preferred = parts.devices_of_gl(none);
    for (;;) {
        const DeviceChoice chosen = choose_device(parts.devices, wish);
        if (!chosen.taken) {
            if (choice == BackendChoice::cuda) throw Unavailable("backend cuda: " + chosen.reason);
            return cpu_presenter(parts, chosen.reason, chosen.refused);
        }
        const int device = chosen.taken->index;
        const bool drives = std::find(wish.preferred.begin(), wish.preferred.end(), device) != wish.preferred.end();
        std::string no_interop;
        if (!drives) no_interop = wish.preferred.empty() ? none : "another GPU drives OpenGL";
        try {
            return cuda_presenter(parts, chosen, no_interop);
        } catch (const Error& error) {
            wish.avoid.push_back({device, error.what()});
        }
    }
}

namespace {

LadderParts parts_of_this_machine() {
    return {
        .devices = machine_devices(),
#if TEXELSCOPE_WITH_CUDA
        .devices_of_gl = cuda_devices_of_gl_context,
        .cuda_backend = [](int device) { return make_backend(BackendChoice::cuda, {.device = device}); },
        .registered_target = make_registered_target, .staged_target = make_staged_target,
#else
        .devices_of_gl = [](std::string&) { return std::vector<int>(); },
        .cuda_backend = {},  // without CUDA there is no device to call these for
            .registered_target = {}, .staged_target = {},
#endif
        .cpu_backend = [] { return make_cpu_backend(); }, .host_target = make_host_target,
    };
}

}  // namespace

Presenter make_presenter(BackendChoice choice, const PresenterOptions& options) {
    Presenter presenter = climb_down(parts_of_this_machine(), choice, options);
    stay_on_device_of(*presenter.backend);
    return presenter;
}

std::future<void> start_device(BackendChoice choice) {
    if (choice == BackendChoice::cpu) return {};
    return std::async(std::launch::async, [] {
        std::string none;
        if (Devices& devices = machine_devices(); devices.count(none) == 1) devices.ask(0);
    });
}

void reset_cuda_device([[maybe_unused]] int device) {
#if TEXELSCOPE_WITH_CUDA
    reset_device(device);
#endif
}

void break_device([[maybe_unused]] Backend& backend, [[maybe_unused]] Loss loss) {
#if TEXELSCOPE_WITH_CUDA
    if (loss == Loss::real && backend.info().kind == BackendKind::cuda) return write_to_illegal_address(backend);
#endif
    throw DeviceLost("the GPU stopped with an error: a simulated one");
}

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
