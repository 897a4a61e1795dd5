// What panes keep in the backend's memory.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "app/picture/rendition.h"
#include "gpu/core/light.h"
#include "tests/support/images.h"
#include "tests/support/memory_test.h"

namespace texelscope::test {
namespace {

class PaneMemory : public MemoryTest {
protected:
    static Rendition rendition(const std::shared_ptr<const Image>& image, const char* spec, int width, int height) {
        return {image, Light::stored, request_of(spec_of(spec), width, height)};
    }
};

std::shared_ptr<const Image> rgb(int side, uint64_t seed) {
    return std::make_shared<const Image>(noise(side, side, 3, SampleType::u8, seed));
}

// Every backend has a premultiplied copy of it, in floats.
std::shared_ptr<const Image> translucent(int side, uint64_t seed) {
    return std::make_shared<const Image>(noise(side, side, 4, SampleType::u8, seed, Alpha::straight));
}

// A user explores: panes are added, removed, show differences, other exposures, references and figures, of 1024².
TEST_P(PaneMemory, DoesNotPileUpWhateverIsShown) {
    const std::array<std::shared_ptr<const Image>, 3> images = {rgb(1024, 1), rgb(1024, 2), rgb(700, 3)};
    const std::vector<AddressPair> addresses = all_address_pairs();
    Random random(4);
    const auto any = [&](int width, int height) {
        Rendition r{random.pick(images), random.chance(0.2) ? Light::linear : Light::stored, {}, random.chance(0.1)};
        MethodSpec spec =
            random.chance(0.7) ? spec_of("bspline") : default_spec(*random.pick(all_methods()));  // a set each time
        spec.path = random.pick(all_fetch_paths);
        spec.address = random.pick(addresses);
        const std::vector<Prefilter> prefilters = all_prefilters(*spec.method);
        spec.prefilter = random.pick(prefilters);
        r.request = request_of(spec, width, height);
        r.request.view = random_view(random, r.image->width(), r.image->height());
        r.request.antialias = random.chance(0.5);
        return r;
    };
    SourceCache sources(backend_);
    PaneRenderer panes(sources);
    std::vector<uint32_t> pixels(200 * 150);
    const auto shown = backend_->allocate(pixels.size() * 4);
    constexpr size_t frame_bytes = 200 * mebibyte;  // sets, levels, textures, float64 coefficients of two frames
    memory().set_limit(128 * mebibyte);
    for (int frame = 0; frame < 100; ++frame) {
        if (frame == 30) memory().set_limit(MemoryBudget::unlimited);
        sources.hold(size_t(random.integer(1, 3)));
        for (int pane = random.integer(1, 3); pane > 0; --pane) {
            const int width = random.integer(1, 200), height = random.integer(1, 150);
            PanePicture picture;
            picture.shown = any(width, height);
            if (random.chance(0.3)) picture.against = any(width, height);
            if (random.chance(0.3)) picture.display.exposure = 1;
            panes.prepare(picture, panes.plan(picture));
            panes.render(picture, shown.get(), size_t(width) * 4);
            if (random.chance(0.3)) panes.measure(picture.shown, any(width, height), {});
        }
        memory().next_frame();
        const size_t limit = frame < 30 ? 128 * mebibyte : MemoryBudget::idle_bytes;
        ASSERT_LE(memory().kept(), frame < 30 ? limit : limit + frame_bytes) << frame;
        ASSERT_LE(memory().taken(), limit + frame_bytes) << frame;
    }
}

TEST_P(PaneMemory, AnImageThatIsNotShownMakesRoomAndComesBack) {
    const auto a = translucent(512, 5), b = translucent(512, 6), c = translucent(512, 7);
    SourceCache sources(backend_);
    PaneRenderer panes(sources);
    const Image before = panes.render_to_rgba8({rendition(a, "bilinear", 40, 30), {}, {}, {}});
    sources.at(b);
    const size_t image = 512 * 512 * 16;
    memory().set_capacity(memory().taken() + image / 2);
    EXPECT_NO_THROW(sources.at(c));  // replaces a, not b, which was requested last
    EXPECT_EQ(counts().uploads, 3);
    EXPECT_NO_THROW(sources.at(c));
    EXPECT_NO_THROW(sources.at(b));
    EXPECT_EQ(counts().uploads, 3);
    const Image after = panes.render_to_rgba8({rendition(a, "bilinear", 40, 30), {}, {}, {}});
    EXPECT_EQ(counts().uploads, 4);
    EXPECT_EQ(0, std::memcmp(before.data(), after.data(), before.size_bytes()));
}

// An image that does not fit leaves the one on the screen unchanged.
TEST_P(PaneMemory, AnImageThatIsRefusedCostsNothing) {
    const auto a = translucent(512, 8), large = translucent(1200, 9);
    SourceCache sources(backend_);
    sources.at(a);
    memory().set_capacity(memory().taken() + mebibyte);
    EXPECT_THROW(sources.at(large), OutOfMemory);
    sources.at(a);
    EXPECT_EQ(counts().uploads, 2);
}

// Both sides of a difference are in memory at the same time, however little there is.
TEST_P(PaneMemory, DifferencesAndFiguresAreRightWithNothingKept) {
    const auto a = rgb(200, 10), b = rgb(200, 11);
    PanePicture picture{rendition(a, "bspline", 180, 160), rendition(b, "quintic:address=wrap", 180, 160), {}, {}};
    picture.against->float64 = true;
    SourceCache rich(shared_backend(GetParam())), poor(backend_);
    PaneRenderer from_rich(rich), from_poor(poor);
    memory().set_limit(0);
    const Image expected = from_rich.render_to_rgba8(picture), got = from_poor.render_to_rgba8(picture);
    EXPECT_EQ(0, std::memcmp(expected.data(), got.data(), got.size_bytes()));
    const Metrics one = from_rich.measure(picture.shown, *picture.against, {});
    const Metrics other = from_poor.measure(picture.shown, *picture.against, {});
    EXPECT_EQ(one.rmse, other.rmse);
    EXPECT_EQ(one.ssim, other.ssim);
    EXPECT_EQ(one.pixels, other.pixels);
}

ON_EVERY_BACKEND(PaneMemory);

}  // namespace
}  // namespace texelscope::test
