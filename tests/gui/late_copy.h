#pragma once

#include "gpu/interop/host_copy.h"

namespace texelscope::test {

// A copy that arrives when the test says that it does.
class LateCopy final : public HostCopy {
public:
    LateCopy(std::unique_ptr<HostCopy> copy, const bool& arrived) : copy_(std::move(copy)), arrived_(arrived) {}
    void start(const void* memory, size_t bytes) override { copy_->start(memory, bytes); }
    bool ready() override { return arrived_ && copy_->ready(); }
    const void* data() const override { return copy_->data(); }

private:
    std::unique_ptr<HostCopy> copy_;
    const bool& arrived_;
};

inline MakeHostCopy late_copies(const bool& arrived) {
    return [&arrived](std::shared_ptr<Backend> backend) {
        return std::make_unique<LateCopy>(make_host_copy(std::move(backend)), arrived);
    };
}

}  // namespace texelscope::test
