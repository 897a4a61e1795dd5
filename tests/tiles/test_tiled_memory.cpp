// The budget of bytes, by counting everything that the program allocates.

#include <gtest/gtest.h>

#include <thread>

#include "gpu/backend/memory_budget.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/formula_tiles.h"
#include "tests/support/images.h"
#include "tests/tiles/counting_allocator.h"

namespace texelscope::test {
namespace {

constexpr size_t mebibyte = size_t(1) << 20;

class TiledMemory : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!counts_allocations()) GTEST_SKIP() << "a sanitizer's allocator is not counted";
    }

    // What rendering takes at most, of the host; on CUDA with what the backend takes of the device.
    size_t most_taken(const RenderRequest& request, int side, size_t memory) {
        const size_t before = allocated(), device_before = backend_->memory().taken();
        forget_most_allocated();
        TiledImage tiled(backend_, plate(side), {.memory = memory});
        int rows = 0;
        tiled.render(request, RenderTarget::Format::floats, [&](const Image& band, int) { rows += band.height(); });
        EXPECT_EQ(rows, request.height);
        const bool on_cuda = GetParam() == BackendKind::cuda;
        return most_allocated() - before + (on_cuda ? backend_->memory().taken() - device_before : 0);
    }

    static std::shared_ptr<FormulaTiles> plate(int side) {
        return std::make_shared<FormulaTiles>(
            side, side, [side](int64_t x, int64_t y) { return float((x * 7 + y * 13) % side) / float(side); }, 256);
    }

    static RenderRequest resizing(int side, const char* spec, int width, int height) {
        return resize_request(ImageInfo{side, side, 1, SampleType::f32, Alpha::none, nullptr}, spec_of(spec), width,
                              height);
    }
};

// 36 to 100 MB of samples, by levels of the pyramid that would take a third of that, to few pixels and to many.
TEST_P(TiledMemory, StaysWithinItsBudget) {
    for (const size_t memory : {32 * mebibyte, 64 * mebibyte}) {
        EXPECT_LE(most_taken(resizing(3000, "bspline", 3000, 375), 3000, memory), memory);
        EXPECT_LE(most_taken(resizing(5000, "lanczos3", 300, 350), 5000, memory), memory);
        EXPECT_LE(most_taken(resizing(4000, "quintic", 20000, 40), 4000, memory), memory);
        RenderRequest rotated = resizing(4000, "omoms", 500, 400);
        rotated.positions.reset();
        rotated.view = {100, -300, 5, 30};
        rotated.antialias = true;
        EXPECT_LE(most_taken(rotated, 4000, memory), memory);
    }
}

TEST_P(TiledMemory, SlowStaysWithinItsBudgetForTheLargestPictures) {
    EXPECT_LE(most_taken(resizing(20000, "lanczos3", 300, 300), 20000, 64 * mebibyte), 64 * mebibyte);
}

// Without antialiasing the pixels lie far apart: only what they read is read.
TEST_P(TiledMemory, FarApartPixelsReadLittle) {
    const auto source = std::make_shared<FormulaTiles>(
        1 << 23, 1 << 23, [](int64_t x, int64_t y) { return float((x + y) & 1023) / 1024; }, 64);
    TiledImage tiled(backend_, source, {.memory = 32 * mebibyte});
    RenderRequest request = request_of(spec_of("bspline"), 12, 10);
    request.view.scale = 500000;
    request.spec.address = {AddressMode::wrap, AddressMode::mirror};
    EXPECT_EQ(tiled.render_to_image(request).width(), 12);
    EXPECT_LE(source->samples_read, size_t(12 * 10 * 9 * 64 * 64));
}

// An hour's worth of looking around, in short.
TEST_P(TiledMemory, DoesNotGrow) {
    TiledImage tiled(backend_, plate(20000), {.memory = 32 * mebibyte});
    Random random(40);
    const auto look_around = [&](int views) {
        for (int k = 0; k < views; ++k) {
            RenderRequest request = request_of(spec_of(k % 2 ? "bspline:address=wrap" : "lanczos2"), 100, 80);
            request.view.scale = random.between(0.2, 12);
            request.view.rotate = random.between(0, 90);
            request.view.translate_x = random.between(-30000, 30000);
            request.view.translate_y = random.between(-30000, 30000);
            request.antialias = true;
            tiled.render_to_image(request);
        }
    };
    look_around(20);
    const size_t before = allocated();
    look_around(30);
    constexpr size_t driver = 8 * mebibyte;  // what CUDA's own tables grow by meanwhile
    EXPECT_LE(allocated(), std::max(before, 32 * mebibyte) + driver);
}

ON_EVERY_BACKEND(TiledMemory);

}  // namespace
}  // namespace texelscope::test
