#include "gpu/interop/host_copy.h"

#include <vector>

#include "gpu/interop/targets.h"

namespace texelscope {
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
