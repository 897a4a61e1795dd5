// The value beyond a border, by its definition: the picture is that of an image to which many rows and columns of the value
// have been added.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/engine/border_values.h"
#include "tests/support/counting_backend.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class BorderValues : public OnMethod {
protected:
    // The continued image's own rendering, with nothing of a border in it.
    void expect_that_of_continued(const Image& image, const RenderRequest& request, double allowed,
                                  Light light = Light::stored) {
        const Image got = SourceImage(backend_, image, light).render_to_image(request);
        const Image right = SourceImage(backend_, continued(image, request.spec.address), light)
                                .render_to_image(of_continued(request, image));
        EXPECT_LE(between(got, right).error, allowed) << describe_request(image, request) << between(got, right);
    }

    // Interpolation is linear: the picture of an image of one channel minus the value, with zero beyond it, plus the value.
    void expect_that_of_samples_minus(const Image& image, const RenderRequest& request) {
        Image lower(image.width(), image.height(), 1, SampleType::f32);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) lower.row_as<float>(y)[x] = image.value(x, y, 0) - beyond_border[0];
        RenderRequest zero = request;
        zero.spec.address.border = {};
        const Image got = SourceImage(backend_, image).render_to_image(request),
                    of_lower = SourceImage(backend_, lower).render_to_image(zero);
        for (int j = 0; j < request.height; ++j)
            for (int i = 0; i < request.width; ++i)
                ASSERT_NEAR(got.value(i, j, 0), of_lower.value(i, j, 0) + beyond_border[0], 1e-6)
                    << describe_request(image, request);
    }
};

TEST_P(BorderValues, GiveTheFloat64InterpolantOfTheContinuedImage) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact: see the other test";
    struct Case {
        int channels;
        SampleType type;
        Alpha alpha;
    };
    for (const auto& [channels, type, alpha] :
         {Case{1, SampleType::u8, Alpha::none}, Case{2, SampleType::f32, Alpha::none},
          Case{3, SampleType::u16, Alpha::none}, Case{4, SampleType::u8, Alpha::straight}}) {
        const Image image = noise(13, 9, channels, type, uint64_t(channels), alpha);
        SourceImage source(backend_, image);
        for (const AddressPair& address : border_pairs())
            for (const View& view : {turned, upright}) {
                const RenderRequest request = with_value(spec(), address, channels, view);
                const Image out = source.render_to_image(request);
                MethodSpec plain = request.spec;
                plain.address = {};
                const reference::Interpolant interpolant(continued(image, request.spec.address), plain);
                for (int j = 0; j < request.height; j += 3)
                    for (int i = 0; i < request.width; i += 3) {
                        auto p = reference::position(view, 13, 9, request.width, request.height, i, j);
                        const reference::Value right = interpolant.at({p.x + border_margin, p.y + border_margin});
                        for (int c = 0; c < channels; ++c)
                            ASSERT_NEAR(out.value(i, j, c), right[size_t(c)], value_range * tolerance::exact_path)
                                << describe_request(image, request) << " at " << double(p.x) << ", " << double(p.y);
                    }
            }
    }
}

// Positions are multiples of 1/32, exact in float32. The unit rounds fractions, and a few of a fetch between two taps fall on
// the other side at the larger image's coordinates.
TEST_P(BorderValues, OnThePathHardwareGiveTheContinuedImagesPicture) {
    if (path() != FetchPath::hardware) GTEST_SKIP() << "exact: see the other test";
    const Image image = noise(13, 9, 3, SampleType::f32, 5);
    for (const AddressPair& address : border_pairs()) {
        const RenderRequest request = with_value(spec(), address, 3, {0.59375, 0.21875, 1.0625, 0}, 17, 13);
        const Image got = SourceImage(backend_, image).render_to_image(request);
        const Image right =
            SourceImage(backend_, continued(image, request.spec.address)).render_to_image(of_continued(request, image));
        int apart = 0;
        for (int j = 0; j < 13; ++j)
            for (int i = 0; i < 17; ++i)
                for (int c = 0; c < 3; ++c)
                    apart += !(std::abs(got.value(i, j, c) - right.value(i, j, c)) < 1e-5 * value_range);
        EXPECT_LE(apart, 17 * 13 * 3 / 5) << to_string(request.spec) << between(got, right);
        EXPECT_LE(between(got, right).error, 0.1 * value_range) << to_string(request.spec);
    }
}

TEST_P(BorderValues, ActThroughAntialiasingAndThePyramid) {
    const Image image = noise(64, 48, 2, SampleType::u8, 6);
    for (const double scale : {1.9, 3.3})
        for (const double rotate : {0.0, 17.0})
            for (const AddressPair& address : {AddressPair{AddressMode::border, AddressMode::border},
                                               AddressPair{AddressMode::border, AddressMode::wrap},
                                               AddressPair{AddressMode::mirror, AddressMode::border}}) {
                const int width = int(64 / scale), height = int(48 / scale);
                RenderRequest request = with_value(spec(), address, 2, {0.3, 0.2, scale, rotate}, width, height);
                request.antialias = true;
                expect_that_of_continued(image, request, 2 * value_range * tolerance::widened);
            }
}

// A level of the pyramid has the border value beyond its edges, as the image has.
TEST_P(BorderValues, OfALevelAreBeyondIt) {
    const Image image = noise(64, 48, 1, SampleType::f32, 6);
    for (const double rotate : {0.0, 17.0}) {
        RenderRequest request =
            with_value(spec(), {AddressMode::border, AddressMode::wrap}, 1, {0.3, 0.2, 11, rotate}, 9, 8);
        request.antialias = true;
        expect_that_of_samples_minus(image, request);
    }
}

TEST_P(BorderValues, ActUnderAWarpThatWidensTheWeights) {
    const Image image = noise(40, 30, 1, SampleType::f32, 7);
    RenderRequest request = with_value(spec(), {AddressMode::border, AddressMode::border}, 1, {0, 0, 1.5, 0}, 30, 22);
    request.warp = {Warp::Kind::ripple, 1.5};
    const Image out = SourceImage(backend_, image).render_to_image(request);
    MethodSpec plain = request.spec;
    plain.address = {};
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const reference::Interpolant interpolant(continued(image, request.spec.address), plain);
    for (int j = 0; j < request.height; j += 2)
        for (int i = 0; i < request.width; i += 2) {
            const Affine a = positions_of(request, 40, 30);
            const Point p = warped(request.warp, apply(a, i, j), 40, 30);
            ASSERT_NEAR(out.value(i, j, 0), interpolant.at({p.x + border_margin, p.y + border_margin})[0],
                        value_range * tolerance::exact_path);
        }
    request.antialias = true;
    expect_that_of_samples_minus(image, request);
}

TEST_P(BorderValues, HaveTheDerivativesOfTheContinuedImage) {
    if (!method().slope) GTEST_SKIP() << method().id << " has no continuous derivative";
    const Image image = noise(13, 9, 2, SampleType::f32, 8);
    for (const AddressPair& address : border_pairs())
        for (const Derivative axis : {Derivative::x, Derivative::y}) {
            RenderRequest request = with_value(spec(), address, 2, turned);
            request.derivative = axis;
            expect_that_of_continued(image, request, value_range * tolerance::derivative);
        }
}

TEST_P(BorderValues, AreDecodedAndCodedWithTheSamplesInLinearLight) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const Image image = noise(13, 9, 3, SampleType::u8, 9);
    expect_that_of_continued(image, with_value(spec(), {AddressMode::border, AddressMode::wrap}, 3, turned),
                             value_range * tolerance::linear_light, Light::linear);
}

TEST_P(BorderValues, OnTheScreenAreThoseOfTheFloats) {
    const Image image = noise(13, 9, 4, SampleType::u8, 10, Alpha::straight);
    SourceImage source(backend_, image);
    for (const Outside outside : {Outside::extend, Outside::background}) {
        RenderRequest request = with_value(spec(), {AddressMode::border, AddressMode::mirror}, 4, turned);
        request.outside = outside;
        const Image floats = source.render_to_image(request), screen = source.render_to_rgba8(request);
        RenderRequest zero = request;
        zero.spec.address.border = {};
        const Image of_zero = source.render_to_rgba8(zero);
        int backgrounds = 0;
        for (int j = 0; j < request.height; ++j)
            for (int i = 0; i < request.width; ++i) {
                const auto p = reference::position(turned, 13, 9, request.width, request.height, i, j);
                const bool beyond = p.x < -0.5 || p.x >= 12.5 || p.y < -0.5 || p.y >= 8.5;
                backgrounds += beyond;
                for (int c = 0; c < 3; ++c) {
                    const double level = floats.value(i, j, c) + (1 - double(floats.value(i, j, 3))) * background_level;
                    if (beyond && outside == Outside::background)
                        ASSERT_EQ(screen.value(i, j, c), of_zero.value(i, j, c)) << i << ", " << j;
                    else
                        ASSERT_NEAR(screen.value(i, j, c), std::clamp(level, 0.0, 1.0), 0.51 / 255)
                            << i << ", " << j << " " << c;
                }
            }
        ASSERT_GT(backgrounds, 0);
    }
}

TEST_P(BorderValues, ThatAreZeroOrBeyondNoEdgeChangeNoBit) {
    const Image image = noise(23, 17, 3, SampleType::u8, 11);
    const auto backend = std::make_shared<CountingBackend>(backend_);
    SourceImage source(backend, image);
    for (const AddressPair& address : all_address_pairs()) {
        RenderRequest request = with_value(spec(), address, 3, turned);
        if (address.has_border()) request.spec.address.border = {{0, 0, 0}, 3};
        RenderRequest zero = request;
        zero.spec.address.border = {};
        const Image a = source.render_to_image(request), b = source.render_to_image(zero);
        ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << to_string(request.spec);
    }
    EXPECT_EQ(backend->differences, 0);
}

ON_EVERY_BACKEND_AND_METHOD(BorderValues, auto_and_every_path());

TEST(BorderPixel, HasTheNumbersItIsGiven) {
    const auto pixel = [](const BorderValue& border, int channels, bool alpha, bool linear = false) {
        const BorderPixel p = border_pixel(border, channels, alpha, linear);
        return std::vector<float>(p.v, p.v + 4);
    };
    using Floats = std::vector<float>;
    EXPECT_EQ(pixel({{0.5f}, 1}, 1, false), (Floats{0.5f, 0, 0, 0}));
    EXPECT_EQ(pixel({{0.5f}, 1}, 3, false), (Floats{0.5f, 0.5f, 0.5f, 0}));
    EXPECT_EQ(pixel({{0.5f}, 1}, 4, true), (Floats{0.25f, 0.25f, 0.25f, 0.5f}));  // alpha included, premultiplied
    EXPECT_EQ(pixel({{0.5f, 0.25f, 1, 0.5f}, 4}, 4, true), (Floats{0.25f, 0.125f, 0.5f, 0.5f}));
    EXPECT_EQ(pixel({{0.5f, 0.25f, 1}, 3}, 4, true), (Floats{0.5f, 0.25f, 1, 1}));  // opaque
    EXPECT_EQ(pixel({{0.5f, 0.25f, 1}, 3}, 1, false), (Floats{0.5f, 0, 0, 0}));
    EXPECT_EQ(pixel({{0.5f, 0.25f}, 2}, 4, false), (Floats{0.5f, 0.25f, 0.25f, 0.25f}));
    EXPECT_NEAR(pixel({{0.5f}, 1}, 2, true, true)[0], 0.5 * 0.21404114048, 1e-7);
    EXPECT_EQ(pixel({{0.5f}, 1}, 2, true, true)[1], 0.5f);
}

}  // namespace
}  // namespace texelscope::test
