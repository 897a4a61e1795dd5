// An image made ready by one CPU backend, in another thread, and rendered by another.

#include <algorithm>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

RenderRequest request_of(const char* method, double scale) {
    RenderRequest request;
    request.spec = default_spec(parse_method(method));
    request.view.scale = scale;
    request.width = 60;
    request.height = 40;
    request.antialias = scale > 1;
    return request;
}

TEST(TakeOver, PixelsAreTheSameAndNothingIsComputedAgain) {
    const Image image = noise(300, 200, 3, SampleType::u8, 1);
    const RenderRequest enlarged = request_of("bspline", 0.2), reduced = request_of("bspline", 5);
    SourceImage expected(make_cpu_backend(), image);
    std::unique_ptr<SourceImage> source;
    std::weak_ptr<Backend> maker;
    std::thread([&] {
        const auto backend = make_cpu_backend();
        maker = backend;
        source = std::make_unique<SourceImage>(backend, image);
        source->prepare(enlarged);
        source->prepare(reduced);
    }).join();
    const auto backend = make_cpu_backend();
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

TEST(TakeOver, SamplesInTheCallersMemoryStayThere) {
    const auto image = std::make_shared<const Image>(noise(50, 40, 4, SampleType::f32, 2));
    SourceImage source(make_cpu_backend(), image);
    const auto backend = make_cpu_backend();
    source.move_to(backend);
    EXPECT_EQ(backend->memory().taken(), 0u);
    EXPECT_EQ(source.value_at(default_spec(parse_method("nearest")), {3, 4})[0], image->value(3, 4, 0));
}

}  // namespace
}  // namespace texelscope::test
