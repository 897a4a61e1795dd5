// Memory of a backend: taking and giving it back waits for nothing, and what was given back is not lost to others.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/stop_watch.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/memory_test.h"

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

// A device whose memory is full: every method shows something or says why, and works again once there is memory.

// Everything is requested of a backend whose memory is full: a picture, or one sentence; and all works once there is
// memory.
class FullDevice : public MemoryTest {
protected:
    struct Outcome {
        int rendered = 0, refused = 0;
    };
    static std::vector<RenderRequest> requests() {
        std::vector<RenderRequest> all;
        for (const MethodInfo* method : all_methods())
            for (const FetchPath path : all_fetch_paths) {
                MethodSpec spec = default_spec(*method);
                spec.path = path;
                RenderRequest request = request_of(spec, 90, 70);
                request.view = {1.25, -3.5, 0.75, 15};
                all.push_back(request);
                request.antialias = true;
                request.view.scale = 9;
                all.push_back(request);
            }
        return all;
    }
    Outcome render_all(SourceImage& source, const std::vector<Image>& expected) {
        Outcome outcome;
        const std::vector<RenderRequest> all = requests();
        for (size_t k = 0; k < all.size(); ++k) try {
                EXPECT_TRUE(same_bits(source.render_to_image(all[k]), expected[k])) << to_string(all[k].spec);
                ++outcome.rendered;
            } catch (const OutOfMemory& error) {
                const std::string text = error.what();
                EXPECT_NE(text.find("memory"), std::string::npos) << text;
                EXPECT_EQ(text.find('\n'), std::string::npos) << text;
                ++outcome.refused;
            }
        return outcome;
    }
    std::vector<Image> rendered(const Image& image) {
        SourceImage source(shared_backend(GetParam()), image);
        std::vector<Image> images;
        for (const RenderRequest& request : requests()) images.push_back(source.render_to_image(request));
        return images;
    }
};

TEST_P(FullDevice, ShowsSomethingOrSaysWhyAndWorksAgainWithMemory) {
    const Image image = noise(512, 512, 1, SampleType::f32, 8);
    const std::vector<Image> expected = rendered(image);
    SourceImage source(backend_, image);
    source.render_to_image(request_of(spec_of("lanczos3:path=lookup"), 8, 8));  // code and tables
    memory().free_memory();
    leave(mebibyte / 2);  // half a picture, no coefficients
    const Outcome full = render_all(source, expected);
    EXPECT_GT(full.rendered, 0);
    EXPECT_GT(full.refused, 0);
    leave(3 * mebibyte / 2);  // one set of coefficients, or one texture
    const Outcome nearly = render_all(source, expected);
    EXPECT_GT(nearly.rendered, full.rendered);
    leave_all();
    const Outcome all = render_all(source, expected);
    EXPECT_EQ(all.refused, 0);
}

// The memory of the GPU itself, all but 200 MB of it.
TEST_P(FullDevice, RunsInTheLast200MegabytesOfAGpu) {
    if (GetParam() != BackendKind::cuda) GTEST_SKIP() << "the host's memory is not filled in a test";
    const Image image = noise(1024, 1024, 4, SampleType::f32, 9);
    const std::vector<Image> expected = rendered(image);
    SourceImage source(backend_, image);
    std::vector<std::shared_ptr<void>> held;
    constexpr size_t left = 200'000'000, smallest = 4 * mebibyte, largest = 4096 * mebibyte;
    for (size_t free = memory().available(); free > left + smallest; free = memory().available())
        held.push_back(backend_->allocate(std::min(free - left, largest)));
    const Outcome full = render_all(source, expected);
    EXPECT_EQ(full.rendered + full.refused, int(requests().size()));
    EXPECT_GT(full.rendered, full.refused);  // a set of coefficients and its texture are 33 MB
    EXPECT_THROW(backend_->allocate(left * 2), OutOfMemory);
    held.clear();
    EXPECT_EQ(render_all(source, expected).refused, 0);
}

ON_EVERY_BACKEND(FullDevice);

}  // namespace
}  // namespace texelscope::test
