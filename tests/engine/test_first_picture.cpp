// The first picture that a prefilter is needed for: a GPU filters the samples while it reads them, and keeps no coefficients.
// It is the picture that coefficients give, which the second one is made from.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Zooms from 1 to 6, straight, turned over, by quarter turns and any angle; sizes that are no multiple of a block's.
RenderRequest enlarging_request(Random& random, const Image& image) {
    RenderRequest request = request_of(spec_of("bspline"), random.integer(1, 150), random.integer(1, 150));
    request.view.scale = 1 / random.pick(std::vector{1.0, 1.0, 1.37, 2.0, 4.0, 6.0});
    request.view.rotate = random.pick(std::vector{0.0, 0.0, 10.0, 30.0, 45.0, 90.0, 180.0, -77.0});
    request.view.translate_x = random.between(-0.6, 0.6) * image.width();
    request.view.translate_y = random.between(-0.6, 0.6) * image.height();
    request.outside = random.pick(std::vector{Outside::extend, Outside::background, Outside::nan});
    return request;
}

class FirstPicture : public OnBackend {
protected:
    bool on_gpu() const { return GetParam() == BackendKind::cuda; }

    // Both within float32 of float64; on a GPU by the kernels that are named for them.
    void expect_both_exact(const std::shared_ptr<Backend>& backend, const Image& image, const RenderRequest& request) {
        SourceImage source(backend, image);
        const PlannedRequest planned = source.plan(request);
        ASSERT_EQ(source.does_without_coefficients(planned), on_gpu()) << describe_request(image, request);
        for (const bool first : {true, false}) {
            const Image picture = source.render_to_image(request);
            const Difference difference = against_reference(picture, image, request, 300);
            ASSERT_LE(difference.error, tolerance::exact_path) << (first ? "first: " : "second: ") << difference;
            if (!on_gpu()) continue;
            ASSERT_EQ(backend->last_kernel().kernel == ResampleKernel::filtering, first);
            ASSERT_FALSE(source.does_without_coefficients(planned)) << "the second one has coefficients made";
        }
        EXPECT_FALSE(source.prepare(planned)) << "they are there";
    }
};

TEST_P(FirstPicture, IsExactInEveryAddressPairAndType) {
    Random random(61);
    for (const AddressPair& address : all_address_pairs())
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
            const int channels = random.pick(std::vector{1, 1, 2, 3, 4});
            const Image image = noise(random.integer(1, 300), random.integer(1, 200), channels, type, 62);
            RenderRequest request = enlarging_request(random, image);
            request.spec.address = address;
            expect_both_exact(backend_, image, request);
        }
}

TEST_P(FirstPicture, IsExactOnBinaryNoise) {
    Random random(63);
    for (int n = 0; n < 12; ++n) {
        const Image image = binary_noise(random.integer(100, 400), random.integer(100, 400), uint64_t(64 + n));
        expect_both_exact(backend_, image, enlarging_request(random, image));
    }
}

TEST_P(FirstPicture, IsExactUnderTheLimitsOfEveryCard) {
    if (!on_gpu()) GTEST_SKIP() << "the CPU's limits are its memory";
    Random random(65);
    for (const KnownCard& card : known_cards()) {
        SCOPED_TRACE(card.name);
        const std::shared_ptr<Backend> limited = backend_like(card);
        for (int n = 0; n < 4; ++n) {
            const Image image = noise(random.integer(40, 300), random.integer(40, 300), 1, SampleType::f32, 66);
            expect_both_exact(limited, image, enlarging_request(random, image));
        }
    }
}

// On the screen, with a background: one level of 255 at most.
TEST_P(FirstPicture, IsTheSecondOneOnTheScreen) {
    Random random(67);
    for (int n = 0; n < 8; ++n) {
        const Light light = n < 6 ? Light::stored : Light::linear;
        const Image image = noise(150, 120, light == Light::linear ? 1 : 1 + n % 4, SampleType::u8, uint64_t(68 + n));
        RenderRequest request = enlarging_request(random, image);
        request.outside = Outside::background;
        SourceImage source(backend_, image, light);
        const Image first = source.render_to_rgba8(request), second = source.render_to_rgba8(request);
        for (size_t k = 0; k < first.size_bytes(); ++k)
            ASSERT_LE(std::abs(int(first.data()[k]) - int(second.data()[k])), 1) << describe_request(image, request);
    }
}

// Samples that are not finite, or too large to be filtered, stay where they are: nothing spreads from them.
TEST_P(FirstPicture, KeepsWhatCannotBeFilteredWhereItIs) {
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (const double rotate : {0.0, 25.0})
        for (const double zoom : {1.0, 4.0}) {
            Image image = noise(130, 110, 1, SampleType::f32, 70);
            const std::pair<int, int> places[] = {{0, 0}, {64, 55}, {65, 55}, {70, 67}, {129, 109}};
            const float values[] = {nan, infinity, std::numeric_limits<float>::lowest(), -infinity, 2e35f};
            for (int k = 0; k < 5; ++k) image.row_as<float>(places[k].second)[places[k].first] = values[k];
            RenderRequest request = request_of(spec_of("bspline"), 140, 130);
            request.view = {0.3, 0.2, 1 / zoom, rotate};
            SourceImage source(backend_, image);
            const Image first = source.render_to_image(request), second = source.render_to_image(request);
            int spoiled = 0;
            for (int y = 0; y < first.height(); ++y)
                for (int x = 0; x < first.width(); ++x) {
                    const float a = first.value(x, y, 0), b = second.value(x, y, 0);
                    const bool plain = std::abs(b) < 1e20f;
                    ASSERT_EQ(std::abs(a) < 1e20f, plain) << x << ", " << y;
                    ASSERT_EQ(std::isfinite(a), std::isfinite(b)) << x << ", " << y << ": " << a << ", " << b;
                    spoiled += !plain;
                    ASSERT_TRUE(!plain || std::abs(a - b) <= tolerance::exact_path)
                        << x << ", " << y << ": " << a << ", " << b;
                }
            EXPECT_GT(spoiled, 0);
            EXPECT_LT(spoiled, 5 * 16 * zoom * zoom + 1) << "sixteen samples read each of them";
        }
}

// What the kernel cannot do is done with coefficients from the first picture on.
TEST_P(FirstPicture, HasCoefficientsWhereTheyAreWanted) {
    const Image grey = noise(90, 70, 1, SampleType::f32, 71), colours = noise(90, 70, 3, SampleType::u8, 72),
                alpha = noise(90, 70, 4, SampleType::u8, 73, Alpha::straight);
    const auto does_without = [&](const Image& image, std::string_view spec, double scale = 0.5, Warp warp = {}) {
        RenderRequest request = request_of(spec_of(spec), 64, 64);
        request.view.scale = scale;
        request.warp = warp;
        SourceImage source(backend_, image);
        return source.does_without_coefficients(source.plan(request));
    };
    EXPECT_EQ(does_without(grey, "bspline"), on_gpu());
    EXPECT_EQ(does_without(colours, "bspline"), on_gpu());
    EXPECT_FALSE(does_without(alpha, "bspline")) << "its channels are laid over the background together";
    EXPECT_FALSE(does_without(grey, "bspline:prefilter=none"));
    EXPECT_FALSE(does_without(grey, "bspline:prefilter=fir7"));
    EXPECT_FALSE(does_without(grey, "bspline:coefficients=half"));
    EXPECT_FALSE(does_without(grey, "bspline:path=lookup"));
    EXPECT_FALSE(does_without(grey, "bspline:address=border,border=0.5"));
    EXPECT_FALSE(does_without(grey, "omoms"));
    EXPECT_FALSE(does_without(grey, "catmull-rom"));
    EXPECT_FALSE(does_without(grey, "bspline", 3)) << "blocks would read too many samples";
    EXPECT_FALSE(does_without(grey, "bspline", 1.0 / 16)) << "most of what a block reads would be its halo";
    EXPECT_FALSE(does_without(grey, "bspline", 0.5, {.kind = Warp::Kind::swirl, .strength = 1}));
    RenderRequest request = request_of(spec_of("bspline"), 64, 64);
    SourceImage prepared(backend_, grey);
    EXPECT_TRUE(prepared.prepare(request)) << "who asks for them gets them";
    EXPECT_FALSE(prepared.does_without_coefficients(prepared.plan(request)));
}

ON_EVERY_BACKEND(FirstPicture);

}  // namespace
}  // namespace texelscope::test
