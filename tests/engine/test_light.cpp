// Interpolation in linear light: sRGB decoded before, coded after; alpha likewise.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "gpu/backend/source_image.h"
#include "gpu/core/colour_profile.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// IEC 61966-2-1 in float64.
double decoded(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }
double encoded(double v) {
    if (v < 0) return -encoded(-v);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

class LinearLight : public OnMethod {
protected:
    // The light of the colour channels, as an image that float64 interpolates.
    static Image light_of(const Image& image) {
        const int colours = image.channels() - (image.alpha() == Alpha::none ? 0 : 1);
        Image light(image.width(), image.height(), image.channels(), SampleType::f32, image.alpha());
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                for (int c = 0; c < image.channels(); ++c) {
                    const double v = image.value(x, y, c);
                    set_value(light, x, y, c, c < colours ? decoded(v) : v);
                }
        return light;
    }

    void check(const Image& image) {
        RenderRequest request = beyond_borders(spec(), 25, 19, 0);
        request.view = {1.3, -0.7, 0.43, 20};
        const Image out = SourceImage(backend_, image, Light::linear).render_to_image(request);
        const reference::Interpolant interpolant(light_of(image), request.spec);
        const bool alpha = image.alpha() != Alpha::none;
        const int colours = image.channels() - (alpha ? 1 : 0);
        for (int j = 0; j < 19; j += 2)
            for (int i = 0; i < 25; i += 2) {
                const auto p = reference::position(request.view, image.width(), image.height(), 25, 19, i, j);
                const reference::Value value = interpolant.at(p);
                const double a = alpha ? value[size_t(colours)] : 1.0;
                if (std::abs(a) < 0.05) continue;  // a straight colour that hardly exists
                for (int c = 0; c < image.channels(); ++c) {
                    const double expected =
                        c < colours && a != 0 ? a * encoded(value[size_t(c)] / a) : value[size_t(c)];
                    ASSERT_NEAR(out.value(i, j, c), expected, tolerance::linear_light)
                        << describe_request(image, request) << " channel " << c;
                }
            }
    }
};

TEST_P(LinearLight, IsFloat64sRGBAroundTheInterpolation) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (const int channels : {1, 3, 4}) check(noise(14, 13, channels, type, 3));
}

// Colour is decoded as its straight value, and alpha is not light.
TEST_P(LinearLight, LeavesAlphaAndDecodesStraightColour) {
    for (const int channels : {2, 4}) check(noise(14, 13, channels, SampleType::u8, 4, Alpha::straight));
}

TEST_P(LinearLight, GivesEightBitImagesBackBitForBit) {
    if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
    Image image(256, 4, 3, SampleType::u8);
    Random random(5);
    for (int x = 0; x < 256 * 3; ++x)
        for (int y = 0; y < 4; ++y) image.row_as<uint8_t>(y)[x] = uint8_t(y == 0 ? x / 3 : random.integer(0, 255));
    const Image out = SourceImage(backend_, image, Light::linear).render_to_image(beyond_borders(spec(), 256, 4, 0));
    const Image back = converted(out, SampleType::u8);
    EXPECT_EQ(0, std::memcmp(back.data(), image.data(), image.size_bytes()));
}

// Garbage in colour under transparent pixels, here not even numbers, affects no pixel, however it is read.
TEST_P(LinearLight, AndStoredValuesAlikeIgnoreColourUnderZeroAlpha) {
    for (const SampleType type : {SampleType::u8, SampleType::f16, SampleType::f32}) {
        Image clean = noise(15, 12, 4, type, 6, Alpha::straight), garbage = clean;
        Random random(7);
        const double rubbish[] = {1, 0.5, NAN, INFINITY, -INFINITY, 3e4};
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 15; ++x) {
                if (random.chance(0.6)) continue;
                for (Image* image : {&clean, &garbage}) set_value(*image, x, y, 3, 0);
                for (int c = 0; c < 3; ++c) {
                    set_value(clean, x, y, c, 0);
                    set_value(garbage, x, y, c, rubbish[random.integer(0, type == SampleType::u8 ? 1 : 5)]);
                }
            }
        for (const Light light : {Light::stored, Light::linear}) {
            SourceImage of_clean(backend_, clean, light), of_garbage(backend_, garbage, light);
            for (const double scale : {0.7, 3.0, 17.0}) {
                RenderRequest request = beyond_borders(spec(), 15, 12, 4);
                request.view = {0.3, 0.2, scale, 25};
                request.antialias = true;
                ASSERT_EQ(between(of_clean.render_to_image(request), of_garbage.render_to_image(request)).error, 0)
                    << describe_request(clean, request);
            }
        }
    }
}

ON_EVERY_BACKEND_AND_METHOD(LinearLight, auto_path());

class LightLevels : public OnBackend {};

// Half the light of white is level 188, where half the stored value is 128.
TEST_P(LightLevels, TheMiddleOfABlackAndWhiteEdgeIsHalfTheLight) {
    Image image(2, 1, 3, SampleType::u8);
    for (int c = 0; c < 3; ++c) image.row_as<uint8_t>(0)[3 + c] = 255;
    RenderRequest request = request_of(spec_of("bilinear"), 1, 1);
    for (const auto& [light, level] : {std::pair{Light::stored, 128}, {Light::linear, 188}}) {
        SourceImage source(backend_, image, light);
        EXPECT_EQ(source.render_to_rgba8(request).row_as<uint8_t>(0)[1], level);
        const double at[] = {0.5, 0};
        const std::vector<float> value = source.sample_to_host({.spec = request.spec}, PointsView::pairs(at, 1));
        EXPECT_NEAR(value[0], light == Light::stored ? 0.5 : encoded(0.5), 1e-6);
        EXPECT_NEAR(source.value_at(request.spec, {0.5, 0})[1], light == Light::stored ? 0.5 : encoded(0.5), 1e-6);
    }
}

// docs/fidelity.md: a checkerboard's mean is 188 in linear light and 128 in stored values.
TEST_P(LightLevels, ACheckerboardFarAwayIsHalfTheLight) {
    Image image(256, 256, 1, SampleType::u8);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) image.row_as<uint8_t>(y)[x] = (x + y) % 2 ? 255 : 0;
    for (const auto& [light, level] : {std::pair{Light::stored, 128}, {Light::linear, 188}})
        for (const char* spec : {"bilinear:address=wrap", "lanczos3:address=wrap", "bspline:address=wrap"}) {
            SourceImage source(backend_, image, light);
            for (const double scale : {4.0, 16.0, 100.0}) {
                RenderRequest request = request_of(spec_of(spec), 9, 9);
                request.view = {0.2, 0.3, scale, 0};
                request.antialias = true;
                const Image out = source.render_to_rgba8(request);
                for (int x = 0; x < 9; ++x)
                    EXPECT_NEAR(out.row_as<uint8_t>(4)[4 * x], level, 1) << spec << " scale " << scale;
            }
        }
}

// A file that says that it holds linear light is not decoded once more, and its slopes are those of the stored values.
TEST_P(LightLevels, WhatIsLinearByItsFileIsInterpolatedAsItIs) {
    const Image stored = noise(12, 9, 3, SampleType::u8, 3);
    RenderRequest request = beyond_borders(spec_of("catmull-rom"), 14, 11, 3);
    request.view = {0.3, -0.4, 0.8, 20};
    for (const bool without_bounds : {false, true}) {
        Image image = stored;
        ColourProfile profile;
        profile.exponent = 1;
        profile.linear_light = without_bounds;
        image.set_profile(std::make_shared<const ColourProfile>(profile));
        for (const Derivative derivative : {Derivative::none, Derivative::x}) {
            request.derivative = derivative;
            const Image expected = SourceImage(backend_, stored).render_to_image(request);
            EXPECT_EQ(between(SourceImage(backend_, image, Light::linear).render_to_image(request), expected).error, 0);
            const auto shared = std::make_shared<const Image>(image);
            EXPECT_EQ(between(SourceImage(backend_, shared, Light::linear).render_to_image(request), expected).error,
                      0);
        }
    }
    Image gamma = stored;
    ColourProfile profile;
    profile.exponent = 2;
    gamma.set_profile(std::make_shared<const ColourProfile>(profile));
    request.derivative = Derivative::none;
    EXPECT_GT(between(SourceImage(backend_, gamma, Light::linear).render_to_image(request),
                      SourceImage(backend_, stored).render_to_image(request))
                  .error,
              0.01);
}

ON_EVERY_BACKEND(LightLevels);

}  // namespace
}  // namespace texelscope::test
