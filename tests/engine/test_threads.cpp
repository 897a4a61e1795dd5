// Backends in several threads, and images that one makes ready for another.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

// Different backends in different threads at the same time, also on one device: each gives the same as on its own.

class Threads : public OnBackend {
protected:
    std::shared_ptr<Backend> another() const {
        return make_backend(GetParam() == BackendKind::cpu ? BackendChoice::cpu : BackendChoice::cuda);
    }

    // Requests that use every way through a backend: prefilters, pyramids, tables, textures, kernels of all kinds.
    static std::vector<RenderRequest> requests() {
        std::vector<RenderRequest> requests;
        for (const MethodInfo* method : all_methods())
            for (const FetchPath path : {FetchPath::automatic, FetchPath::hardware}) {
                MethodSpec spec = default_spec(*method);
                spec.path = path;
                spec.address = {AddressMode::mirror, AddressMode::clamp};
                RenderRequest request = request_of(spec, 120, 90);
                request.view.rotate = method->rank % 2 == 0 ? 17 : 0;
                request.view.scale = method->rank % 3 == 0 ? 9.5 : 0.7;
                request.antialias = request.view.scale > 1;
                requests.push_back(request);
            }
        return requests;
    }

    static std::vector<Image> pictures(const std::shared_ptr<Backend>& backend, const Image& image) {
        SourceImage source(backend, image);
        std::vector<Image> pictures;
        for (const RenderRequest& request : requests()) pictures.push_back(source.render_to_image(request));
        return pictures;
    }
};

TEST_P(Threads, TwoBackendsGiveWhatEachGivesAlone) {
    const Image images[2] = {noise(200, 150, 3, SampleType::u8, 1), noise(180, 170, 1, SampleType::f32, 2)};
    const std::vector<Image> expected[2] = {pictures(backend_, images[0]), pictures(backend_, images[1])};
    std::atomic<int> wrong = 0, right = 0, ready = 0;
    std::vector<std::thread> threads;
    for (int n : {0, 1})
        threads.emplace_back([&, n] {
            const auto mine = another();
            ++ready;
            while (ready < 2) std::this_thread::yield();
            for (int round = 0; round < 3; ++round) {
                const std::vector<Image> got = pictures(mine, images[n]);
                for (size_t k = 0; k < got.size(); ++k) ++(between(got[k], expected[n][k]).error == 0 ? right : wrong);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(right, int(6 * requests().size()));
}

// Errors are those of the thread that made them.
TEST_P(Threads, ARefusalInOneThreadIsNoneInTheOther) {
    const Image image = noise(100, 100, 1, SampleType::f32, 3);
    const RenderRequest request = beyond_borders(spec_of("bilinear"), 100, 100, 0);
    std::atomic<bool> done = false;
    int refused = 0;
    std::thread careless([&] {
        SourceImage source(another(), image);
        do {
            try {
                source.render(request, {nullptr, 400, RenderTarget::Format::floats});
            } catch (const Error&) {
                ++refused;
            }
        } while (!done);
    });
    SourceImage source(backend_, image);
    for (int k = 0; k < 100; ++k) EXPECT_EQ(between(source.render_to_image(request), image).error, 0);
    done = true;
    careless.join();
    EXPECT_GT(refused, 0);
}

// A backend may be made in one thread, used in another and freed in a third, one after another.
TEST_P(Threads, ABackendCanBeHandedOver) {
    const Image image = noise(60, 50, 2, SampleType::u16, 4);
    const RenderRequest request = request_of(spec_of("bspline"), 60, 50);
    const Image expected = SourceImage(backend_, image).render_to_image(request);
    std::unique_ptr<SourceImage> source;
    std::thread([&] { source = std::make_unique<SourceImage>(another(), image); }).join();
    Image got;
    std::thread([&] { got = source->render_to_image(request); }).join();
    EXPECT_EQ(between(got, expected).error, 0);
    std::thread([&] { source.reset(); }).join();
    EXPECT_EQ(between(SourceImage(backend_, image).render_to_image(request), expected).error, 0);
}

ON_EVERY_BACKEND(Threads);

// An image made ready by one backend, in another thread, and rendered by another of its kind.

RenderRequest taken_request(const char* method, double scale) {
    RenderRequest request;
    request.spec = default_spec(parse_method(method));
    request.view.scale = scale;
    request.width = 60;
    request.height = 40;
    request.antialias = scale > 1;
    return request;
}

class TakeOver : public OnBackend {};

TEST_P(TakeOver, PixelsAreTheSameAndNothingIsComputedAgain) {
    const Image image = noise(300, 200, 3, SampleType::u8, 1);
    const RenderRequest enlarged = taken_request("bspline", 0.2), reduced = taken_request("bspline", 5);
    SourceImage expected(backend_, image);
    std::unique_ptr<SourceImage> source;
    std::weak_ptr<Backend> maker;
    std::thread([&] {
        const auto backend = make_backend_like(backend_->info());
        maker = backend;
        source = std::make_unique<SourceImage>(backend, image);
        source->prepare(enlarged);
        source->prepare(reduced);
        backend->synchronize();
    }).join();
    const auto backend = make_backend_like(backend_->info());
    source->move_to(backend);
    EXPECT_TRUE(maker.expired()) << "nothing needs the first one any more";
    const size_t taken = backend->memory().taken(), kept = backend->memory().kept();
    EXPECT_GE(taken, source->samples().size_bytes() + size_t(300) * 200 * 4 * sizeof(float));
    EXPECT_GE(kept, size_t(300) * 200 * 4 * sizeof(float)) << "coefficients and levels can be given up";
    EXPECT_FALSE(source->prepare(enlarged));
    EXPECT_FALSE(source->prepare(reduced));
    EXPECT_EQ(backend->memory().taken(), taken);
    for (const RenderRequest& request : {enlarged, reduced}) {
        const Image a = source->render_to_image(request), b = expected.render_to_image(request);
        EXPECT_TRUE(std::equal(a.data(), a.data() + a.size_bytes(), b.data()));
    }
    backend->memory().free_memory();
    EXPECT_LT(backend->memory().kept(), kept);
    EXPECT_TRUE(source->prepare(enlarged)) << "computed again here";
    source.reset();
    constexpr size_t tables = 64 << 10;  // of the method, which stay
    EXPECT_LT(backend->memory().taken(), tables);
}

TEST_P(TakeOver, TexturesAreMadeAgain) {
    const Image image = noise(120, 90, 4, SampleType::u8, 5);
    RenderRequest request = taken_request("bilinear", 0.3);
    request.spec.path = FetchPath::hardware;
    SourceImage expected(backend_, image);
    const Image right = expected.render_to_image(request);
    const auto maker = make_backend_like(backend_->info()), backend = make_backend_like(backend_->info());
    SourceImage source(maker, image);
    source.render_to_image(request);
    maker->synchronize();
    source.move_to(backend);
    const Image picture = source.render_to_image(request);
    EXPECT_TRUE(std::equal(picture.data(), picture.data() + picture.size_bytes(), right.data()));
}

TEST_P(TakeOver, ImagesOfAnotherKindAreRefused) {
    const SourceImage here(backend_, noise(9, 8, 1, SampleType::u8, 6));
    const auto other = shared_backend(backend_->info().kind == BackendKind::cpu ? BackendKind::cuda : BackendKind::cpu);
    if (!other) GTEST_SKIP() << "no other kind of backend";
    EXPECT_THROW(other->take_over(here.samples()), Error);
}

ON_EVERY_BACKEND(TakeOver);

TEST(TakeOverOnCpu, SamplesInTheCallersMemoryStayThere) {
    const auto image = std::make_shared<const Image>(noise(50, 40, 4, SampleType::f32, 2));
    SourceImage source(make_cpu_backend(), image);
    const auto backend = make_cpu_backend();
    source.move_to(backend);
    EXPECT_EQ(backend->memory().taken(), 0u);
    EXPECT_EQ(source.value_at(default_spec(parse_method("nearest")), {3, 4})[0], image->value(3, 4, 0));
}

// The window goes on drawing from a source while coefficients are made from the same samples in another thread.
TEST(Sharing, WhatAnotherThreadHasMadeComesBackWhileThisOneRenders) {
    const Image image = noise(700, 500, 3, SampleType::u8, 3);
    const RenderRequest unfiltered = taken_request("catmull-rom", 0.3), filtered = taken_request("bspline", 0.3),
                        reduced = taken_request("catmull-rom", 9);
    SourceImage alone(make_cpu_backend(), image);
    const auto backend = make_cpu_backend(), beside = make_cpu_backend();
    SourceImage source(backend, image);
    source.prepare(reduced);
    const size_t taken = backend->memory().taken();

    SourceImage shared = source.shared_on(beside);
    EXPECT_EQ(beside->memory().taken(), 0u) << "no copy";
    EXPECT_EQ(shared.unprepared(shared.plan(reduced)), 0) << "the smaller images are shared as well";
    EXPECT_EQ(source.unprepared(source.plan(filtered)), 700 * 500 * 3) << "all samples are to be filtered";
    std::thread worker([&] { shared.prepare(filtered); });
    const Image expected = alone.render_to_image(unfiltered);
    for (int k = 0; k < 20; ++k) {
        const Image picture = source.render_to_image(unfiltered);
        EXPECT_TRUE(std::equal(picture.data(), picture.data() + picture.size_bytes(), expected.data()));
    }
    worker.join();
    source.take_made(shared);
    EXPECT_EQ(source.unprepared(source.plan(filtered)), 0);
    EXPECT_FALSE(source.prepare(filtered)) << "nothing is computed here";
    EXPECT_GE(backend->memory().taken(), taken + size_t(700) * 500 * 4 * sizeof(float)) << "counted here from now on";
    const Image picture = source.render_to_image(filtered), right = alone.render_to_image(filtered);
    EXPECT_TRUE(std::equal(picture.data(), picture.data() + picture.size_bytes(), right.data()));
}

TEST(Sharing, SharedSamplesOutliveTheirSource) {
    const Image image = noise(100, 80, 3, SampleType::u8, 4);
    const MethodSpec nearest = default_spec(parse_method("nearest"));
    const auto beside = make_cpu_backend();
    auto source = std::make_unique<SourceImage>(make_cpu_backend(), image);
    SourceImage shared = source->shared_on(beside);
    source.reset();
    EXPECT_EQ(shared.value_at(nearest, {50, 40})[1], image.value(50, 40, 1));
}

}  // namespace
}  // namespace texelscope::test
