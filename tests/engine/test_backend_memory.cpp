// Memory of a backend: taking and giving it back waits for nothing, and what was given back is not lost to others.

#include <gtest/gtest.h>

#include <optional>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/stop_watch.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

class BackendMemory : public OnBackend {
protected:
    // A reference in float64 takes long on every device.
    static RenderRequest long_work() {
        RenderRequest request;
        request.spec = default_spec(parse_method("lanczos4"));
        request.width = request.height = 3000;
        request.view = {0, 0, 0.1, 10};
        return request;
    }
    static constexpr size_t large = size_t(64) << 20;
};

TEST_P(BackendMemory, IsTakenAndGivenBackWhileTheDeviceIsBusy) {
    if (GetParam() == BackendKind::cpu) GTEST_SKIP() << "the CPU backend enqueues nothing";
    SourceImage source(backend_, noise(512, 512, 4, SampleType::f32, 31));
    const RenderRequest request = long_work();
    const std::shared_ptr<void> values = backend_->allocate(size_t(3000) * 3000 * 4 * sizeof(double));
    const auto compute = [&] {
        for (int n = 0; n < 8; ++n) source.render_reference(request, static_cast<double*>(values.get()));
    };
    compute();  // loads the kernel, prepares the image
    backend_->allocate(large);
    backend_->synchronize();
    const StopWatch whole;
    compute();
    const StopWatch watch;
    for (int n = 0; n < 20; ++n) backend_->allocate(large);
    const double taking = watch.ms();
    backend_->synchronize();
    EXPECT_LT(taking, whole.ms() / 4);
}

TEST_P(BackendMemory, WhatWasGivenBackCountsAsAvailable) {
    MemoryBudget& memory = backend_->memory();
    const size_t before = memory.taken();
    memory.set_capacity(before + large);  // room for one; far less than the system has, which other programs change
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(memory.available(), large);
        const std::shared_ptr<void> held = backend_->allocate(large);
        EXPECT_EQ(memory.taken(), before + large);
        EXPECT_EQ(memory.available(), 0u);
    }
    EXPECT_EQ(memory.taken(), before);
    memory.set_capacity(MemoryBudget::unlimited);
}

TEST_P(BackendMemory, ContentIsThatOfTheWorkInItsOrder) {
    for (int round = 0; round < 50; ++round) {
        const std::vector<float> written(1 << 16, float(round));
        const std::shared_ptr<void> first = backend_->allocate(written.size() * sizeof(float));
        backend_->write(first.get(), written.data(), written.size() * sizeof(float));
        std::shared_ptr<void> second = backend_->allocate(written.size() * sizeof(float));
        backend_->copy(second.get(), first.get(), written.size() * sizeof(float));
        {
            const std::shared_ptr<void> third = backend_->allocate(written.size() * sizeof(float));
            backend_->copy(third.get(), second.get(), written.size() * sizeof(float));
            std::vector<float> read(written.size());
            second.reset();
            backend_->read_back(read.data(), third.get(), read.size() * sizeof(float));
            ASSERT_EQ(read, written);
        }
    }
}

TEST_P(BackendMemory, OutlivesItsBackend) {
    std::shared_ptr<Backend> backend =
        make_backend(GetParam() == BackendKind::cuda ? BackendChoice::cuda : BackendChoice::cpu);
    const std::shared_ptr<void> held = backend->allocate(1 << 20);
    auto image = backend->upload(noise(64, 64, 4, SampleType::u8, 32));
    backend.reset();
    image.reset();
}

ON_EVERY_BACKEND(BackendMemory);

}  // namespace
}  // namespace texelscope::test
