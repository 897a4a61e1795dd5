// An image made ready by one backend, in another thread, and rendered by another of its kind.

#include <algorithm>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

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
