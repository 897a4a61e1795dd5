// Memory of every kind that CUDA knows: what is read in place, what is copied, what is refused; and which device is
// current after a call. Each test skips without a GPU, or with fewer than it needs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/display/display.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

constexpr int width = 40, height = 30;

class CudaMemoryKinds : public ::testing::Test {
protected:
    void SetUp() override {
        backend_ = shared_backend(BackendKind::cuda);
        if (!backend_) GTEST_SKIP() << "no CUDA here: " << why_no_cuda();
        image_ = noise(width, height, 1, SampleType::f32, 3);
    }
    void TearDown() override {
        if (backend_) {
            EXPECT_EQ(pending_cuda_error(), "");
        }
    }

    // A view over the image's samples in memory of this kind.
    ImageView view(const std::shared_ptr<void>& memory) const {
        ImageView view = view_of(image_);
        view.samples = memory.get();
        return view;
    }

    std::shared_ptr<void> placed(CudaMemoryKind kind) const {
        auto memory = cuda_memory(kind, image_.size_bytes());
        if (kind == CudaMemoryKind::device) backend_->write(memory.get(), image_.data(), image_.size_bytes());
        else std::memcpy(memory.get(), image_.data(), image_.size_bytes());
        return memory;
    }

    static RenderRequest identity(const char* spec) { return beyond_borders(spec_of(spec), width, height, 0); }

    std::shared_ptr<Backend> backend_;
    Image image_;
};

constexpr CudaMemoryKind all_kinds[] = {CudaMemoryKind::device, CudaMemoryKind::managed, CudaMemoryKind::pinned,
                                        CudaMemoryKind::registered};

// By linear memory and by textures, of images and of signals.
TEST_F(CudaMemoryKinds, SamplesInAnyKindOfMemoryCanBeAdopted) {
    for (const CudaMemoryKind kind : all_kinds) {
        const auto memory = placed(kind);
        ASSERT_NE(memory, nullptr);
        for (const char* path : {"auto", "global", "lookup", "hardware"}) {
            SCOPED_TRACE(std::string(path) + " of kind " + std::to_string(int(kind)));
            const std::string spec = std::string("nearest:path=") + path;
            SourceImage source(backend_, view(memory));
            EXPECT_EQ(between(source.render_to_image(identity(spec.c_str())), image_).error, 0);
            ImageView row = view(memory);
            row.height = 1;
            row.one_dimensional = true;
            SourceImage signal(backend_, row);
            const Image values = signal.render_to_image(request_of(spec_of(spec), width, 1));
            for (int x = 0; x < width; ++x) ASSERT_EQ(values.value(x, 0, 0), image_.value(x, 0, 0)) << x;
        }
    }
}

// Memory of the host is copied before adopt() returns; device and managed memory are read when they are needed.
TEST_F(CudaMemoryKinds, OnlyMemoryOfTheDeviceIsReadInPlace) {
    for (const CudaMemoryKind kind : all_kinds) {
        const auto memory = placed(kind);
        SourceImage source(backend_, view(memory));
        const float changed = 42;
        if (kind == CudaMemoryKind::device) backend_->write(memory.get(), &changed, sizeof changed);
        else std::memcpy(memory.get(), &changed, sizeof changed);
        const bool in_place = kind == CudaMemoryKind::device || kind == CudaMemoryKind::managed;
        EXPECT_EQ(source.render_to_image(identity("nearest:path=global")).value(0, 0, 0),
                  in_place ? 42 : image_.value(0, 0, 0))
            << int(kind);
    }
}

TEST_F(CudaMemoryKinds, ResultsGoToDeviceAndManagedMemoryAlone) {
    SourceImage source(backend_, image_);
    for (const CudaMemoryKind kind : all_kinds) {
        const auto memory = cuda_memory(kind, image_.size_bytes());
        const RenderTarget target{memory.get(), width * sizeof(float), RenderTarget::Format::floats};
        const std::string sentence = refusal([&] { source.render(identity("nearest"), target); });
        backend_->synchronize();
        if (kind == CudaMemoryKind::pinned || kind == CudaMemoryKind::registered) {
            EXPECT_NE(sentence.find("memory of the host"), std::string::npos) << sentence;
            continue;
        }
        EXPECT_EQ(sentence, "");
        Image got(width, height, 1, SampleType::f32);
        backend_->read_back(got.data(), memory.get(), got.size_bytes());
        EXPECT_EQ(between(got, image_).error, 0);
    }
}

TEST_F(CudaMemoryKinds, HostMemoryIsRefusedWhereDeviceMemoryIsMeant) {
    SourceImage source(backend_, image_);
    std::vector<double> host(size_t(width) * height * 2);
    auto* floats = reinterpret_cast<float*>(host.data());
    const auto device = cuda_memory(CudaMemoryKind::device, host.size() * sizeof(double));
    auto* on_device = static_cast<double*>(device.get());
    const char* const word = "memory of the host";
    const RenderRequest request = identity("bilinear");
    EXPECT_REFUSED(source.render(request, {floats, width * sizeof(float), RenderTarget::Format::floats}), word);
    EXPECT_REFUSED(source.render(request, {floats, width * 4, RenderTarget::Format::rgba8}), word);
    EXPECT_REFUSED(source.render_reference(request, host.data()), word);
    const SampleRequest at{.spec = request.spec};
    EXPECT_REFUSED(source.sample(at, PointsView::pairs(host.data(), 4), reinterpret_cast<float*>(on_device)), word);
    EXPECT_REFUSED(
        source.sample(at, PointsView::arrays(on_device, host.data(), 4), reinterpret_cast<float*>(on_device)), word);
    EXPECT_REFUSED(source.sample(at, PointsView::pairs(on_device, 4), floats), word);
    EXPECT_REFUSED(backend_->write_warped_points(WarpedGrid{}, host.data()), word);
    EXPECT_REFUSED(backend_->write(host.data(), host.data(), 8), word);
    EXPECT_REFUSED(backend_->read_back(host.data(), host.data(), 8), word);
    EXPECT_REFUSED(backend_->copy(host.data(), on_device, 8), word);
    EXPECT_REFUSED(backend_->copy(on_device, host.data(), 8), word);

    DisplayJob display;
    display.width = display.height = 4;
    display.row_bytes = 16;
    display.pixels = reinterpret_cast<uint32_t*>(on_device);
    display.shown.values = host.data();
    EXPECT_REFUSED(backend_->display(display), word);
    display.shown.values = on_device;
    display.against = {host.data(), true};
    EXPECT_REFUSED(backend_->display(display), word);
    display.against = {};
    display.pixels = reinterpret_cast<uint32_t*>(host.data());
    EXPECT_REFUSED(backend_->display(display), word);

    MeasureJob measure;
    measure.width = measure.height = 4;
    measure.values = {host.data(), true};
    measure.reference = {on_device, true};
    EXPECT_REFUSED(backend_->measure(measure), word);
    std::swap(measure.values, measure.reference);
    EXPECT_REFUSED(backend_->measure(measure), word);
    measure.reference = measure.values;
    ComparisonSums sums;
    EXPECT_REFUSED(backend_->compare(measure, &sums), word);
}

TEST_F(CudaMemoryKinds, DeviceMemoryIsRefusedWhereTheHostReads) {
    SourceImage source(backend_, image_);
    const auto device = cuda_memory(CudaMemoryKind::device, 64);
    auto* on_device = static_cast<double*>(device.get());
    EXPECT_REFUSED(source.sample_to_host({.spec = spec_of("nearest")}, PointsView::pairs(on_device, 2)),
                   "memory of a GPU");
    EXPECT_REFUSED(backend_->write(on_device, on_device, 8), "memory of a GPU");
    EXPECT_REFUSED(backend_->read_back(on_device, on_device, 8), "memory of a GPU");
}

class TwoDevices : public CudaMemoryKinds {
protected:
    void SetUp() override {
        CudaMemoryKinds::SetUp();
        if (!backend_) return;
        if (cuda_devices() < 2) GTEST_SKIP() << "this machine has one CUDA device";
        other_ = make_backend(BackendChoice::cuda, {.device = 1});
    }
    void TearDown() override {
        if (other_) set_current_cuda_device(0);
        CudaMemoryKinds::TearDown();
    }
    std::shared_ptr<Backend> other_;
};

TEST_F(TwoDevices, MemoryOfTheOtherDeviceIsRefused) {
    const auto memory = cuda_memory(CudaMemoryKind::device, image_.size_bytes(), 1);
    EXPECT_REFUSED(SourceImage(backend_, view(memory)), "device 1");
    SourceImage source(backend_, image_);
    EXPECT_REFUSED(
        source.render(identity("nearest"), {memory.get(), width * sizeof(float), RenderTarget::Format::floats}),
        "device 1");
    EXPECT_EQ(between(SourceImage(other_, image_).render_to_image(identity("nearest")), image_).error, 0);
}

// Every function of either backend, with either device current before it, images and backends freed under both.
TEST_F(TwoDevices, TheCallersCurrentDeviceStaysWhatItWas) {
    for (const int current : {0, 1}) {
        set_current_cuda_device(current);
        const auto is_kept = [&](const char* call) { EXPECT_EQ(current_cuda_device(), current) << call; };
        for (const int device : {0, 1}) {
            auto backend = make_backend(BackendChoice::cuda, {.device = device});
            is_kept("make_backend");
            const Image noisy = noise(300, 200, 3, SampleType::u8, 4);
            auto source = std::make_unique<SourceImage>(backend, noisy);
            is_kept("upload");
            for (const char* spec : {"bspline", "nearest", "bilinear:path=hardware", "catmull-rom:path=lookup"}) {
                RenderRequest request = beyond_borders(spec_of(spec), 300, 200, 0);
                request.view.rotate = 20;
                const Image got = source->render_to_image(request);
                is_kept(spec);
                const Image expected = SourceImage(shared_backend(BackendKind::cpu), noisy).render_to_image(request);
                EXPECT_LT(between(got, expected).error, 0.02) << spec << " on device " << device;
            }
            RenderRequest small = request_of(spec_of("lanczos3"), 20, 20);
            small.view.scale = 12;
            small.antialias = true;
            source->render_to_image(small);
            is_kept("pyramid");
            reference_values(*source, small);
            is_kept("render_reference");
            source->sample_to_host({.spec = spec_of("bspline")},
                                   PointsView::arrays(std::vector{1.5, 2.5}.data(), std::vector{1.0, 2.0}.data(), 2));
            is_kept("sample_to_host");
            backend->time_ms([&] { source->render_to_image(small); });
            is_kept("time_ms");
            auto memory = backend->allocate(1 << 20);
            is_kept("allocate");
            backend->copy(memory.get(), static_cast<char*>(memory.get()) + 512, 512);
            backend->timed(3, [] {});
            backend->synchronize();
            static_cast<void>(backend->last_render_ms(3));
            static_cast<void>(backend->last_prefilter_ms());
            is_kept("times");
            set_current_cuda_device(1 - current);  // freed under the other device
            memory.reset();
            source.reset();
            backend.reset();
            EXPECT_EQ(current_cuda_device(), 1 - current);
            set_current_cuda_device(current);
        }
    }
}

// One backend per device, in one thread each, at the same time.
TEST_F(TwoDevices, TwoThreadsUseThemAtTheSameTime) {
    const Image noisy = noise(500, 400, 3, SampleType::u8, 5);
    RenderRequest request = beyond_borders(spec_of("bspline"), 500, 400, 0);
    request.view.rotate = 30;
    const Image expected = SourceImage(backend_, noisy).render_to_image(request);
    double errors[2] = {1, 1};
    std::thread threads[2];
    for (int n : {0, 1})
        threads[n] = std::thread([&, n] {
            double worst = 0;
            for (int k = 0; k < 50; ++k) {
                SourceImage source(n == 0 ? make_backend(BackendChoice::cuda) : other_, noisy);
                worst = std::max(worst, between(source.render_to_image(request), expected).error);
            }
            errors[n] = worst;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(errors[0], 0);
    EXPECT_EQ(errors[1], 0);
}

}  // namespace
}  // namespace texelscope::test
