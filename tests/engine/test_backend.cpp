// Backends and SourceImage: what they promise besides the picture itself.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/timing.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

TEST(Backend, CpuIsAlwaysThere) {
    const auto backend = make_backend(BackendChoice::cpu);
    ASSERT_NE(backend, nullptr);
    EXPECT_EQ(backend->info().kind, BackendKind::cpu);
    EXPECT_FALSE(backend->info().device.empty());
    EXPECT_EQ(backend->stream(), nullptr);
    EXPECT_EQ(make_cpu_backend()->info().kind, BackendKind::cpu);
}

TEST(Backend, AutoFallsAndCudaSaysWhatIsMissing) {
    const std::string reason = why_no_cuda();
    if (reason.empty()) {
        EXPECT_EQ(make_backend(BackendChoice::automatic)->info().kind, BackendKind::cuda);
        EXPECT_EQ(make_backend(BackendChoice::cuda)->info().kind, BackendKind::cuda);
        return;
    }
    EXPECT_EQ(make_backend(BackendChoice::automatic)->info().kind, BackendKind::cpu);
    try {
        make_backend(BackendChoice::cuda);
        ADD_FAILURE() << "CUDA was made although: " << reason;
    } catch (const Unavailable& error) {
        EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
}

TEST(Backend, ACudaDeviceThatIsNotThereIsAnError) {
    EXPECT_THROW(make_backend(BackendChoice::cuda, {.device = 1000}), Unavailable);
}

class Source : public OnBackend {};

TEST_P(Source, KeepsSizeChannelsAndAlpha) {
    const Image image = noise(5, 7, 3, SampleType::u16, 1);
    SourceImage source(backend_, image);
    EXPECT_EQ(&source.backend(), backend_.get());
    EXPECT_EQ(source.samples().width(), 5);
    EXPECT_EQ(source.samples().height(), 7);
    EXPECT_EQ(source.samples().channels(), 3);
    EXPECT_EQ(source.samples().alpha(), Alpha::none);
    const SourceImage transparent(backend_, noise(5, 7, 4, SampleType::u8, 1, Alpha::straight));
    EXPECT_EQ(transparent.samples().alpha(), Alpha::premultiplied);
}

TEST_P(Source, PremultipliedAlphaIsNotMultipliedAgain) {
    Image image(1, 1, 2, SampleType::f32, Alpha::premultiplied);
    image.row_as<float>(0)[0] = 0.25f;
    image.row_as<float>(0)[1] = 0.5f;
    RenderRequest request;
    request.spec = spec_of("nearest");
    const Image out = SourceImage(backend_, image).render_to_image(request);
    EXPECT_EQ(out.value(0, 0, 0), 0.25f);
    EXPECT_EQ(out.value(0, 0, 1), 0.5f);
}

TEST_P(Source, CoefficientsAreComputedOnceForEachAddressAndPrefilter) {
    SourceImage source(backend_, noise(20, 20, 1, SampleType::u8, 2));
    const MethodSpec spec = spec_of("bspline");
    const ResidentImage* first = source.prepared_for(spec).get();
    EXPECT_NE(first, &source.samples());
    EXPECT_EQ(first, source.prepared_for(spec).get());
    EXPECT_NE(first, source.prepared_for(spec_of("bspline:prefilter=fir15")).get());
    EXPECT_NE(first, source.prepared_for(spec_of("bspline:address=wrap")).get());
    EXPECT_EQ(&source.samples(), source.prepared_for(spec_of("bspline:prefilter=none")).get());
    EXPECT_EQ(&source.samples(), source.prepared_for(spec_of("catmull-rom")).get());
}

// Coefficients do not depend on path and view.
TEST_P(Source, TheFetchPathDoesNotRecomputeCoefficients) {
    SourceImage source(backend_, noise(20, 20, 1, SampleType::u8, 2));
    EXPECT_EQ(source.prepared_for(spec_of("bspline:path=global")).get(),
              source.prepared_for(spec_of("bspline:path=hardware")).get());
}

TEST_P(Source, ValueAtIsTheReferenceAtThatPoint) {
    Random random(3);
    const Image image = noise(19, 13, 4, SampleType::f32, 4);
    SourceImage source(backend_, image);
    for (const MethodInfo* method : all_methods())
        for (const AddressPair& address : all_address_pairs()) {
            MethodSpec spec = default_spec(*method);
            spec.address = address;
            const reference::Interpolant interpolant(image, spec);
            for (int n = 0; n < 5; ++n) {
                const Point p = {random.between(-40, 60), random.between(-40, 60)};
                const auto value = source.value_at(spec, p);
                const auto expected = interpolant.at({p.x, p.y});
                for (int c = 0; c < 4; ++c)
                    ASSERT_NEAR(value[c], expected[c], tolerance::exact_path)
                        << to_string(spec) << " at " << p.x << ", " << p.y;
            }
        }
}

TEST_P(Source, RenderingAgainGivesTheSameBits) {
    const Image image = noise(200, 150, 3, SampleType::u8, 5);
    for (const MethodInfo* method : all_methods())
        for (const FetchPath path : all_fetch_paths) {
            RenderRequest request = beyond_borders(default_spec(*method), 200, 150, 7);
            request.spec.path = path;
            request.view = {0.3, 0.4, 0.77, 13};
            const Image first = SourceImage(backend_, image).render_to_image(request);
            SourceImage source(backend_, image);
            for (int n = 0; n < 3; ++n) {
                const Image again = source.render_to_image(request);
                ASSERT_EQ(0, std::memcmp(first.data(), again.data(), first.size_bytes())) << to_string(request.spec);
            }
        }
}

// Rows of the target may be longer than the picture; the bytes between them are not touched.
TEST_P(Source, RendersIntoRowsWithPaddingAndLeavesThePaddingAlone) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "device memory is not written from here";
    const Image image = noise(20, 10, 3, SampleType::u8, 7);
    SourceImage source(backend_, image);
    RenderRequest request = beyond_borders(spec_of("bilinear"), 20, 10, 0);
    request.view.rotate = 5;
    for (const auto format : {RenderTarget::Format::rgba8, RenderTarget::Format::floats}) {
        const bool screen = format == RenderTarget::Format::rgba8;
        const size_t packed = 20 * (screen ? 4 : 12), row_bytes = packed + (screen ? 28 : 36);
        std::vector<unsigned char> memory(row_bytes * 10, 0xa5);
        source.render(request, {memory.data(), row_bytes, format});
        backend_->synchronize();
        const Image expected = screen ? source.render_to_rgba8(request) : source.render_to_image(request);
        for (int y = 0; y < 10; ++y) {
            EXPECT_EQ(0, std::memcmp(memory.data() + y * row_bytes, expected.row(y), packed)) << y;
            for (size_t b = packed; b < row_bytes; ++b) ASSERT_EQ(memory[y * row_bytes + b], 0xa5) << y << " " << b;
        }
    }
}

TEST_P(Source, TimesAreKnownAfterTheFirstRenderingOnly) {
    const auto fresh = make_backend(GetParam() == BackendKind::cpu ? BackendChoice::cpu : BackendChoice::cuda);
    EXPECT_FALSE(fresh->last_render_ms());
    EXPECT_FALSE(fresh->last_prefilter_ms());
    SourceImage source(fresh, noise(64, 64, 1, SampleType::u8, 8));
    source.render_to_image(beyond_borders(spec_of("bspline"), 64, 64, 0));
    fresh->synchronize();
    ASSERT_TRUE(fresh->last_render_ms());
    ASSERT_TRUE(fresh->last_prefilter_ms());
    EXPECT_GE(*fresh->last_render_ms(), 0);
    EXPECT_LT(*fresh->last_render_ms(), 10000);
    EXPECT_GE(*fresh->last_prefilter_ms(), 0);
}

// The backend knows the kernel of each timer, and of the whole that timed() encloses.
TEST_P(Source, KnowsWhichKernelRanAndWhy) {
    const auto fresh = make_backend(GetParam() == BackendKind::cpu ? BackendChoice::cpu : BackendChoice::cuda);
    EXPECT_TRUE(fresh->last_kernel().reason.empty());
    SourceImage source(fresh, noise(64, 64, 1, SampleType::u8, 8));
    RenderRequest request = beyond_borders(spec_of("catmull-rom"), 64, 64, 0);
    const auto memory = fresh->allocate(size_t(request.width) * size_t(request.height) * sizeof(float));
    const auto render = [&](int timer) {
        source.render(request,
                      {memory.get(), size_t(request.width) * sizeof(float), RenderTarget::Format::floats, timer});
    };
    request.positions = {0.5, 0, 3.25, 0, 0.5, 3.25};
    const bool on_gpu = GetParam() == BackendKind::cuda;
    const ResampleKernel straight = on_gpu ? ResampleKernel::march : ResampleKernel::separable,
                         rotated = on_gpu ? ResampleKernel::tile : ResampleKernel::blocks;
    render(3);
    request.positions = {0.5, -0.1, 3.25, 0.1, 0.5, 3.25};
    fresh->timed(4, [&] { render(no_timer); });
    EXPECT_EQ(name_of(fresh->last_kernel(3).kernel), name_of(straight));
    EXPECT_EQ(name_of(fresh->last_kernel(4).kernel), name_of(rotated));
    EXPECT_FALSE(fresh->last_kernel(4).reason.empty());
    EXPECT_TRUE(fresh->last_kernel(5).reason.empty());
}

// The time of the whole is at least as long as that of a part of it.
TEST_P(Source, TimesOfSeveralRenderingsAreTheirSum) {
    const auto fresh = make_backend(GetParam() == BackendKind::cpu ? BackendChoice::cpu : BackendChoice::cuda);
    SourceImage source(fresh, noise(64, 64, 1, SampleType::u8, 8));
    const RenderRequest request = beyond_borders(spec_of("bspline"), 300, 200, 0);
    const auto memory = fresh->allocate(size_t(request.width) * size_t(request.height) * sizeof(float));
    const auto render = [&](int timer) {
        source.render(request,
                      {memory.get(), size_t(request.width) * sizeof(float), RenderTarget::Format::floats, timer});
    };
    fresh->timed(7, [&] { render(8), render(9); });
    fresh->synchronize();
    ASSERT_TRUE(fresh->last_render_ms(7));
    EXPECT_GE(*fresh->last_render_ms(7) + 0.01, *fresh->last_render_ms(8) + *fresh->last_render_ms(9));
    EXPECT_LT(*fresh->last_render_ms(7), 10000);
    EXPECT_FALSE(fresh->last_render_ms(0));
}

ON_EVERY_BACKEND(Source);

}  // namespace

// Memory of a backend: taking and giving it back waits for nothing, and what was given back is not lost to others.

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
