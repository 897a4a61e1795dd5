// The rgba8 output is the float output, composed over the background, clamped and rounded; and images with alpha are
// interpolated premultiplied.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

constexpr double background = 32.0 / 255;

class Display : public OnMethod {
protected:
    // What a pixel shows: grey spread over r, g, b; two or four channels with alpha laid over the background. How the
    // second channel of an image without alpha should look is not specified, so it is not tested.
    static std::array<double, 3> composed(const Image& image, int x, int y) {
        const int channels = image.channels();
        const bool alpha = image.alpha() != Alpha::none;
        const double through = alpha ? (1 - image.value(x, y, channels - 1)) * background : 0;
        std::array<double, 3> colour;
        for (int c = 0; c < 3; ++c) colour[c] = image.value(x, y, channels >= 3 ? c : 0) + through;
        return colour;
    }

    void check(const Image& image, const RenderRequest& request) {
        SourceImage source(backend_, image);
        const Image shown = source.render_to_rgba8(request), floats = source.render_to_image(request);
        ASSERT_EQ(shown.type(), SampleType::u8);
        ASSERT_EQ(shown.channels(), 4);
        for (int y = 0; y < request.height; ++y)
            for (int x = 0; x < request.width; ++x) {
                const uint8_t* pixel = shown.row_as<uint8_t>(y) + 4 * x;
                const auto colour = composed(floats, x, y);
                ASSERT_EQ(pixel[3], 255);
                for (int c = 0; c < 3; ++c) {
                    const double level = std::clamp(colour[c], 0.0, 1.0) * 255;
                    // Exactly the nearest level; within a float's error of the middle either neighbour.
                    ASSERT_LE(std::abs(pixel[c] - level), 0.5 + 255 * 1e-6)
                        << x << ", " << y << " channel " << c << " " << describe_request(image, request);
                }
            }
    }
};

TEST_P(Display, IsTheRoundedFloatOutput) {
    for (const int channels : {1, 3})
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
            for (const double rotate : {0.0, 17.0}) {
                RenderRequest request = beyond_borders(spec(), 40, 30, 3);
                request.view = {0.4, 0.7, 0.6, rotate};
                check(noise(40, 30, channels, type, 91), request);
            }
}

// Overshoot is clamped: it does not wrap around in 8 bits.
TEST_P(Display, ClampsOvershoot) {
    RenderRequest request = beyond_borders(spec(), 40, 30, 3);
    request.view = {0.4, 0.7, 0.2, 17};
    check(binary_noise(40, 30, 92), request);
    Image large(8, 8, 3, SampleType::f32);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 24; ++x) large.row_as<float>(y)[x] = x % 2 ? 1e4f : -1e4f;
    check(large, beyond_borders(spec(), 8, 8, 0));
}

TEST_P(Display, LaysAlphaOverTheBackground) {
    for (const int channels : {2, 4})
        for (const SampleType type : {SampleType::u8, SampleType::f32}) {
            RenderRequest request = beyond_borders(spec(), 40, 30, 3);
            request.view = {0.4, 0.7, 0.6, 17};
            check(noise(40, 30, channels, type, 93, Alpha::straight), request);
            request.spec.address = {AddressMode::border, AddressMode::border};  // zero outside, alpha included
            check(noise(40, 30, channels, type, 93, Alpha::straight), request);
        }
}

TEST_P(Display, NaNIsShownAsBlackAndInfinityAsWhite) {
    if (!method().interpolating || method().has_prefilter() || path() == FetchPath::hardware) return;
    Image image(4, 1, 1, SampleType::f32);
    const float values[] = {NAN, INFINITY, -INFINITY, 0.5f};
    std::copy_n(values, 4, image.row_as<float>(0));
    const Image shown = SourceImage(backend_, image).render_to_rgba8(beyond_borders(spec(), 4, 1, 0));
    const int expected[] = {0, 255, 0, 128};
    for (int x = 0; x < 4; ++x) EXPECT_EQ(shown.row_as<uint8_t>(0)[4 * x], expected[x]) << values[x];
}

// Colour under alpha 0 is invisible, so it must not affect any pixel that a tap on it reaches.
TEST_P(Display, ColourUnderZeroAlphaDoesNotBleed) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
        Image clean = noise(20, 20, 4, type, 94, Alpha::straight), garbage = clean;
        Random random(95);
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 20; ++x) {
                if (random.chance(0.5)) continue;
                for (Image* image : {&clean, &garbage}) set_value(*image, x, y, 3, 0);
                for (int c = 0; c < 3; ++c) set_value(clean, x, y, c, 0), set_value(garbage, x, y, c, random.unit());
            }
        RenderRequest request = beyond_borders(spec(), 20, 20, 4);
        request.view = {0.3, 0.2, 0.7, 25};
        EXPECT_EQ(between(SourceImage(backend_, clean).render_to_image(request),
                          SourceImage(backend_, garbage).render_to_image(request))
                      .error,
                  0);
    }
}

// An opaque red next to a transparent green: on the way between them alpha fades and the hue stays.
TEST_P(Display, OnlyAlphaFadesTowardsATransparentNeighbour) {
    Image image(2, 1, 4, SampleType::u8, Alpha::straight);
    const uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 0};
    std::copy_n(pixels, 8, image.row_as<uint8_t>(0));
    RenderRequest request = beyond_borders(spec(), 2, 1, 0);
    request.view.scale = 1.0 / 16;
    request.width = 17;
    const Image out = SourceImage(backend_, image).render_to_image(request);
    EXPECT_EQ(out.alpha(), Alpha::premultiplied);
    for (int x = 0; x < 17; ++x) {
        EXPECT_NEAR(out.value(x, 0, 0), out.value(x, 0, 3), tolerance::exact_path);
        EXPECT_NEAR(out.value(x, 0, 1), 0, tolerance::exact_path);
    }
}

// Without alpha the fourth channel is ordinary data.
TEST_P(Display, WithoutAlphaNothingIsMultiplied) {
    Image image(3, 3, 4, SampleType::f32);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) image.row_as<float>(y)[4 * x] = 1;  // red, the fourth channel zero
    const Image out = SourceImage(backend_, image).render_to_image(beyond_borders(spec(), 3, 3, 0));
    EXPECT_EQ(out.alpha(), Alpha::none);
    EXPECT_NEAR(out.value(1, 1, 0), 1, tolerance::exact_path);
}

ON_EVERY_BACKEND_AND_METHOD(Display, every_path());

}  // namespace
}  // namespace texelscope::test
